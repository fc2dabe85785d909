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
import org.apache.catalina.startup.Tomcat;

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
        StandaloneTomcat control = new StandaloneTomcat();
        Context context = tomcat.addContext("", arguments[0]);
        Tomcat.addServlet(context, "control", control);
        context.addServletMappingDecoded("/control", "control");
        for (int i = 3; i < arguments.length; i++) {
            String[] deployment = arguments[i].split("\\?", 2);
            Context application = tomcat.addWebapp(deployment[0], new File(arguments[2]).getAbsolutePath());
            for (String parameter : deployment[1].split("&")) {
                String[] pair = parameter.split("=", 2);
                application.addParameter(pair[0], pair[1]);
            }
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
        } else {
            // Of a class loader that nothing refers to, nothing is left after a collection or two.
            System.gc();
            response.getWriter().print(undeployed.get() == null ? "collected" : "pinned, threads: " + threads());
        }
    }

    private String threads() {
        ClassLoader loader = undeployed.get();
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getContextClassLoader() == loader)
                .map(Thread::getName)
                .sorted()
                .collect(Collectors.joining(", "));
    }
}
