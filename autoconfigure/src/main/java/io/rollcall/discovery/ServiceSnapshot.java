package io.rollcall.discovery;

import java.util.List;

/**
 * One service in use, as it is now. Immutable.
 *
 * @param service the service's name
 * @param instances all instances, those without traffic too
 * @param views what each registry says, in the registries' order
 */
public record ServiceSnapshot(String service, List<RollcallServiceInstance> instances, List<RegistryView> views) {}
