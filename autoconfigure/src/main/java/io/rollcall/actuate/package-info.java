/** Shows registrations and lists by Actuator: an endpoint and a health indicator, both of which read memory only. */
@NullMarked
package io.rollcall.actuate;

import org.jspecify.annotations.NullMarked;
