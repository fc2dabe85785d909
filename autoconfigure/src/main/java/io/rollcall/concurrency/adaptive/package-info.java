/** The limit that follows measured latency: the rule, what it is measured by, and the permits that obey it. */
@NullMarked
package io.rollcall.concurrency.adaptive;

import org.jspecify.annotations.NullMarked;
