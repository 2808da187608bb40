@NullMarked
package dev.doorbell.soft.fault;

import org.jspecify.annotations.NullMarked;
