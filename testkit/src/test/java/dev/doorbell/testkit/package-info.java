@NullMarked
package dev.doorbell.testkit;

import org.jspecify.annotations.NullMarked;
