package io.rollcall.sample;

/**
 * What a provider answers.
 *
 * @param text a greeting
 * @param instance the id of the instance that answered
 * @param address its host and port
 */
public record Greeting(String text, String instance, String address) {}
