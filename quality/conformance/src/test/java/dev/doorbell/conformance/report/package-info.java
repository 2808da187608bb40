/** What is made of results. */
@NullMarked
package dev.doorbell.conformance.report;

import org.jspecify.annotations.NullMarked;
