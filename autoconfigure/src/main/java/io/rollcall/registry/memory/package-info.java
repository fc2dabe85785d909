/** A registry inside this JVM: for tests, and for an application that names no other. */
@NullMarked
package io.rollcall.registry.memory;

import org.jspecify.annotations.NullMarked;
