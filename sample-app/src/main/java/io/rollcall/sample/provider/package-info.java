/** The provider: it answers, and Rollcall registers it. Nothing here knows of a registry. */
@NullMarked
package io.rollcall.sample.provider;

import org.jspecify.annotations.NullMarked;
