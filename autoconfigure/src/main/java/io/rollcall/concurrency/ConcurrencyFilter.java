package io.rollcall.concurrency;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpHeaders;

/**
 * Lets a servlet request in or refuses it. Mapped to the {@code REQUEST} dispatch only: forwards and includes happen
 * inside it, asynchronous and error dispatches after it, and all go on the one permit taken here.
 *
 * <p>The permit is given back here if the request is over when the chain returns, else by {@link RequestEnd}.
 */
final class ConcurrencyFilter implements Filter {

    private static final int FIRST_ERROR_STATUS = 400;

    private final Admission admission;
    private final Refusal refusal;
    private final UpgradeWatch upgradeWatch;

    ConcurrencyFilter(Admission admission, Refusal refusal, UpgradeWatch upgradeWatch) {
        this.admission = admission;
        this.refusal = refusal;
        this.upgradeWatch = upgradeWatch;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        doFilter((HttpServletRequest) request, (HttpServletResponse) response, chain);
    }

    private void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        boolean longLived =
                LongLived.announced(request.getHeader(HttpHeaders.UPGRADE), request.getHeader(HttpHeaders.ACCEPT));
        Gate gate = admission.gateFor(path(request), longLived);
        if (gate == null) {
            chain.doFilter(request, response);
            return;
        }
        Permit permit = gate.tryEnter();
        if (permit == null) {
            refuse(response);
            return;
        }
        serve(
                longLived ? upgradeWatch.watch(request, permit) : request,
                new WatchedResponse(response, permit),
                chain,
                permit);
    }

    private void serve(HttpServletRequest request, HttpServletResponse response, FilterChain chain, Permit permit)
            throws IOException, ServletException {
        boolean container = RequestEnd.isAnnounced(request);
        if (container) {
            RequestEnd.bind(request, permit);
        }
        boolean over = false;
        try {
            chain.doFilter(request, response);
            // With an error status an error page may follow.
            over = response.getStatus() < FIRST_ERROR_STATUS;
            if (response.getStatus() >= Permit.FIRST_SERVER_ERROR_STATUS) {
                permit.end(Outcome.FAILED);
            }
        } catch (VirtualMachineError ex) {
            // Containers pass these on and skip everything that would have come after, even if the request is
            // asynchronous.
            permit.end(Outcome.FAILED);
            permit.release();
            throw ex;
        } catch (IOException | ServletException | RuntimeException | Error ex) {
            permit.end(Outcome.FAILED);
            throw ex;
        } finally {
            if (container && request.isAsyncStarted()) {
                goesOn(request, response, permit);
            } else if (over || !container) {
                permit.release();
            }
        }
    }

    private void goesOn(HttpServletRequest request, HttpServletResponse response, Permit permit) {
        RequestEnd.bindAsync(request, response, permit);
        if (LongLived.isEventStream(response.getContentType())) {
            permit.moveTo(admission.longLived());
        }
    }

    private void refuse(HttpServletResponse response) {
        // Not sendError, which would run the application's error page.
        response.setStatus(refusal.status());
        response.setHeader(HttpHeaders.RETRY_AFTER, refusal.retryAfter());
        response.setHeader(Refusal.MARKER_HEADER, Refusal.MARKER);
        response.setContentLength(0);
    }

    private static String path(HttpServletRequest request) {
        String more = request.getPathInfo();
        return more != null ? request.getServletPath() + more : request.getServletPath();
    }
}
