package io.rollcall.concurrency;

import jakarta.servlet.http.HttpServletRequest;

/** Ties a permit to a connection that outlives its request. */
@FunctionalInterface
interface UpgradeWatch {

    /** For servers that do not tell when an upgraded connection ends; the permit lasts as long as the handshake. */
    UpgradeWatch NONE = (request, permit) -> request;

    /** The request to pass on, which moves the permit to the connection if that is upgraded. */
    HttpServletRequest watch(HttpServletRequest request, Permit permit);
}
