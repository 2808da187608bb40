/** The promises that the documents make, kept by tests. */
@NullMarked
package dev.doorbell.quality.documents;

import org.jspecify.annotations.NullMarked;
