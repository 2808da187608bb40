@NullMarked
package dev.doorbell.soft;

import org.jspecify.annotations.NullMarked;
