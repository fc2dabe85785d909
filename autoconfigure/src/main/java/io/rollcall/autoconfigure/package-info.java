/** Makes the registries that the properties name, and explains what is wrong with them. */
@NullMarked
package io.rollcall.autoconfigure;

import org.jspecify.annotations.NullMarked;
