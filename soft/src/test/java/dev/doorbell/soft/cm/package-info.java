@NullMarked
package dev.doorbell.soft.cm;

import org.jspecify.annotations.NullMarked;
