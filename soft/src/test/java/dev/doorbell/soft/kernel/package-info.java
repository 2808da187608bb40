@NullMarked
package dev.doorbell.soft.kernel;

import org.jspecify.annotations.NullMarked;
