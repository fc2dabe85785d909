package io.rollcall.loadbalancer;

import io.rollcall.discovery.ServiceChangedEvent;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cache.Cache;
import org.springframework.cloud.loadbalancer.cache.LoadBalancerCacheManager;
import org.springframework.cloud.loadbalancer.core.CachingServiceInstanceListSupplier;
import org.springframework.context.ApplicationListener;

/** Empties Spring Cloud LoadBalancer's cache of a service that has changed, for supplier chains of users that have that cache. */
final class CacheEviction implements ApplicationListener<ServiceChangedEvent> {

    private final ObjectProvider<LoadBalancerCacheManager> caches;

    CacheEviction(ObjectProvider<LoadBalancerCacheManager> caches) {
        this.caches = caches;
    }

    @Override
    public void onApplicationEvent(ServiceChangedEvent event) {
        caches.ifAvailable(manager -> {
            Cache cache = manager.getCache(CachingServiceInstanceListSupplier.SERVICE_INSTANCE_CACHE_NAME);
            if (cache != null) {
                cache.evictIfPresent(event.getService());
            }
        });
    }
}
