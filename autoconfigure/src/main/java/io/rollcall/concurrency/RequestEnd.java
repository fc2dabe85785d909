package io.rollcall.concurrency;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Gives a servlet request's permit back when the container says that the request is over: after asynchronous processing
 * and after an error page, both of which happen when the filter has returned already. Announces itself to the filter with
 * a request attribute, since without a container (MockMvc) nothing comes after the filter.
 *
 * <p>Asynchronous requests are watched twice: a container skips this listener if another one before it fails.
 */
final class RequestEnd implements ServletRequestListener {

    private static final String ATTRIBUTE = RequestEnd.class.getName();

    @Override
    public void requestInitialized(ServletRequestEvent event) {
        if (!isAnnounced(event.getServletRequest())) {
            event.getServletRequest().setAttribute(ATTRIBUTE, Boolean.TRUE);
        }
    }

    @Override
    public void requestDestroyed(ServletRequestEvent event) {
        ServletRequest request = event.getServletRequest();
        // Jetty calls this after each dispatch, also when the request goes on asynchronously.
        if (request.getAttribute(ATTRIBUTE) instanceof Permit permit && !request.isAsyncStarted()) {
            permit.release();
        }
    }

    /** Whether {@link #requestDestroyed} will be called for this request. */
    static boolean isAnnounced(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) != null;
    }

    static void bind(ServletRequest request, Permit permit) {
        request.setAttribute(ATTRIBUTE, permit);
    }

    /** To be called while asynchronous processing is on. */
    static void bindAsync(ServletRequest request, HttpServletResponse response, Permit permit) {
        request.getAsyncContext().addListener(new AsyncEnd(response, permit));
        permit.goesOnAsynchronously();
    }

    /**
     * A time-out is followed by completion, and so is an error for which a page can be shown; but not a broken connection.
     *
     * @param response whose status tells how it ended
     * @param permit the request's permit
     */
    private record AsyncEnd(HttpServletResponse response, Permit permit) implements AsyncListener {

        @Override
        public void onComplete(AsyncEvent event) {
            if (response.getStatus() >= Permit.FIRST_SERVER_ERROR_STATUS) {
                permit.end(Outcome.FAILED);
            }
            permit.release();
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            permit.end(Outcome.TIMED_OUT);
        }

        @Override
        public void onError(AsyncEvent event) {
            Throwable error = event.getThrowable();
            if (error == null || error instanceof IOException || response.isCommitted()) {
                permit.connectionBroken();
            } else {
                permit.end(Outcome.FAILED);
            }
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            // A second round after a dispatch; the container forgets the first round's listeners.
            event.getAsyncContext().addListener(this);
        }
    }
}
