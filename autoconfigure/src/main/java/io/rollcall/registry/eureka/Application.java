package io.rollcall.registry.eureka;

import java.util.List;
import java.util.Map;

/**
 * One of Eureka's applications: what we call a service.
 *
 * @param name as Eureka has it: in upper case
 * @param instances the instances as JSON, in whatever state
 */
record Application(String name, List<Map<String, Object>> instances) {}
