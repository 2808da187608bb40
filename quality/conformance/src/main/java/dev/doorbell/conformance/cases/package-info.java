/** The cases, a class a subject; {@link dev.doorbell.conformance.cases.AllCases} has them all. */
@NullMarked
package dev.doorbell.conformance.cases;

import org.jspecify.annotations.NullMarked;
