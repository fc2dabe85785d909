package io.rollcall.container;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.catalina.Context;
import org.apache.catalina.Host;
import org.apache.catalina.core.JreMemoryLeakPreventionListener;
import org.apache.catalina.core.ThreadLocalLeakPreventionListener;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.scan.StandardJarScanFilter;

/**
 * The main program of a Tomcat that was there before the application: it has no Spring on its class path, deploys the directory of a web
 * application at each of the paths it is given, and takes orders at {@code /control}.
 */
public final class StandaloneTomcat extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private final transient Map<String, Context> deployed = new TreeMap<>();

    private transient WeakReference<ClassLoader> undeployed;

    /**
     * @param arguments base directory, port, directory of the application, then for each deployment its path and parameters, as in
     *     {@code /path?key=value&key=value}
     */
    public static void main(String[] arguments) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(arguments[0]);
        tomcat.setPort(Integer.parseInt(arguments[1]));
        tomcat.setAddDefaultWebXmlToWebapp(false);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        // As in the server.xml that Tomcat comes with: what the JDK and threads that serve several applications would
        // keep.
        tomcat.getServer().addLifecycleListener(new JreMemoryLeakPreventionListener());
        tomcat.getServer().addLifecycleListener(new ThreadLocalLeakPreventionListener());
        StandaloneTomcat control = new StandaloneTomcat();
        Context context = tomcat.addContext("", arguments[0]);
        Tomcat.addServlet(context, "control", control).addMapping("/control");
        for (int i = 3; i < arguments.length; i++) {
            String[] deployment = arguments[i].split("\\?", 2);
            // Nothing but Spring's initializer is to be found in the libraries.
            StandardJarScanFilter filter = new StandardJarScanFilter();
            filter.setPluggabilitySkip("*.jar");
            filter.setPluggabilityScan("spring-web-*.jar");
            filter.setDefaultPluggabilityScan(false);
            Context application = tomcat.addWebapp(deployment[0], new File(arguments[2]).getAbsolutePath());
            for (String parameter : deployment[1].split("&")) {
                String[] pair = parameter.split("=", 2);
                application.addParameter(pair[0], pair[1]);
            }
            application.getJarScanner().setJarScanFilter(filter);
            control.deployed.put(deployment[0], application);
        }
        tomcat.start();
        tomcat.getServer().await();
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = request.getParameter("undeploy");
        if (path != null) {
            Context context = deployed.remove(path);
            undeployed = new WeakReference<>(context.getLoader().getClassLoader());
            ((Host) context.getParent()).removeChild(context);
            response.getWriter().print("undeployed");
        } else if (request.getParameter("loader") != null) {
            linkARecord();
            System.gc();
            response.getWriter().print(undeployed.get() == null ? "collected" : "held");
        } else {
            response.getWriter().print(threads());
        }
    }

    /** Java before 19 keeps the class whose record methods it has linked last, in whatever application that was (JDK-8078641). */
    private static void linkARecord() {
        record Last(StandaloneTomcat value) {}
        Last last = new Last(null);
        if (!last.equals(new Last(null))
                || last.hashCode() != new Last(null).hashCode()
                || last.toString().isEmpty()) {
            throw new IllegalStateException("no record");
        }
    }

    /** The names of all threads that belong to the application that was undeployed last. */
    private String threads() {
        ClassLoader loader = undeployed.get();
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> loader != null && thread.getContextClassLoader() == loader)
                .map(Thread::getName)
                .sorted()
                .collect(Collectors.joining(", "));
    }
}
