/**
 * Between a caller and the live list: which instance a call goes to, and where it goes next when that one refuses.
 *
 * <p>Everything here stands on Spring Cloud LoadBalancer's own contracts, so that its lifecycles, suppliers and
 * {@code @LoadBalancerClient} configurations keep working.
 */
@NullMarked
package io.rollcall.loadbalancer;

import org.jspecify.annotations.NullMarked;
