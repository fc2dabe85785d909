package io.rollcall.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rollcall.autoconfigure.FailureAnalyses;
import io.rollcall.concurrency.adaptive.AdaptiveBulkhead;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.tomcat.autoconfigure.TomcatServerProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.webflux.autoconfigure.WebHttpHandlerBuilderCustomizer;

@ExtendWith(OutputCaptureExtension.class)
class ConcurrencyAutoConfigurationTests {

    private static final AutoConfigurations CONFIGURATIONS = AutoConfigurations.of(
            ConcurrencyAutoConfiguration.class,
            ServletConcurrencyAutoConfiguration.class,
            ReactiveConcurrencyAutoConfiguration.class);

    private final WebApplicationContextRunner servlet =
            new WebApplicationContextRunner().withConfiguration(CONFIGURATIONS);
    private final ReactiveWebApplicationContextRunner reactive =
            new ReactiveWebApplicationContextRunner().withConfiguration(CONFIGURATIONS);

    @Test
    void registersNothingWithoutALimit() {
        servlet.run(context -> assertThat(context)
                .doesNotHaveBean(Admission.class)
                .doesNotHaveBean(ConcurrencyProperties.class)
                .doesNotHaveBean(BulkheadRegistry.class)
                .doesNotHaveBean(FilterRegistrationBean.class));
        reactive.run(context -> assertThat(context)
                .doesNotHaveBean(Admission.class)
                .doesNotHaveBean(WebHttpHandlerBuilderCustomizer.class));
    }

    @Test
    void registersNothingWhenRollcallIsOffOrThereIsNoWebServer() {
        servlet.withPropertyValues("rollcall.max-concurrency=5", "rollcall.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(Admission.class));
        new ApplicationContextRunner()
                .withConfiguration(CONFIGURATIONS)
                .withPropertyValues("rollcall.max-concurrency=5")
                .run(context -> assertThat(context).doesNotHaveBean(Admission.class));
    }

    @ParameterizedTest
    @CsvSource({"5,5", "' 7 ',7", "2147483647,2147483647", "+3,3"})
    void limitsAServletApplication(String value, int limit) {
        servlet.withPropertyValues("rollcall.max-concurrency=" + value).run(context -> {
            assertThat(context).hasSingleBean(FilterRegistrationBean.class);
            assertThat(context).doesNotHaveBean(WebHttpHandlerBuilderCustomizer.class);
            assertThat(bulkhead(context.getBean(BulkheadRegistry.class), "rollcall"))
                    .isEqualTo(limit);
        });
    }

    @Test
    void limitsAReactiveApplication() {
        reactive.withPropertyValues("rollcall.maxConcurrency=5").run(context -> {
            assertThat(context).hasSingleBean(WebHttpHandlerBuilderCustomizer.class);
            assertThat(context).doesNotHaveBean(FilterRegistrationBean.class);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"0", "-1", "1.5", "", "  ", "Auto pilot", "2147483648", "99999999999", "1e3", "false", "10%"})
    void failsForNonsense(String value) {
        servlet.withPropertyValues("rollcall.max-concurrency=" + value).run(context -> {
            FailureAnalysis analysis = FailureAnalyses.of(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("'rollcall.max-concurrency'", "Value: \"" + value.strip());
            assertThat(analysis.getAction()).contains("whole number", "auto");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "rollcall.concurrency.status=200,              rollcall.concurrency.status",
        "rollcall.concurrency.retry-after=-1s,         rollcall.concurrency.retry-after",
        "rollcall.concurrency.long-lived=0,            rollcall.concurrency.long-lived",
        "rollcall.concurrency.floor=0,                 rollcall.concurrency.floor",
        "rollcall.concurrency.ceiling=-3,              rollcall.concurrency.ceiling",
        "rollcall.concurrency.floor=9999,              rollcall.concurrency.floor",
        "rollcall.concurrency.exempt-paths=internal,   rollcall.concurrency.exempt-paths",
        "rollcall.concurrency.exempt-paths=/a/{b,      rollcall.concurrency.exempt-paths",
        "rollcall.concurrency.groups.g.paths=/g,       rollcall.concurrency.groups.g",
        "rollcall.concurrency.groups.g.max-concurrency=1, rollcall.concurrency.groups.g",
        "rollcall.concurrency.groups.default.paths=/g, rollcall.concurrency.groups.default"
    })
    void failsForNonsenseInTheDetails(String setting, String property) {
        servlet.withPropertyValues("rollcall.max-concurrency=5", setting).run(context -> {
            FailureAnalysis analysis = FailureAnalyses.of(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("'" + property + "'");
            assertThat(analysis.getAction()).isNotBlank();
        });
    }

    @Test
    void autoIsALimitThatLearnsWithinItsBounds() {
        servlet.withPropertyValues(
                        "rollcall.max-concurrency=auto",
                        "rollcall.concurrency.floor=7",
                        "rollcall.concurrency.ceiling=9")
                .run(context -> {
                    Gate gate = context.getBean(Admission.class)
                            .requestGates()
                            .iterator()
                            .next();
                    assertThat(gate.limiter()).isInstanceOf(AdaptiveLimiter.class);
                    assertThat(gate.limiter().learns()).isTrue();
                    assertThat(gate.limiter().limit()).isBetween(7, 9);
                    assertThat(gate.limiter().highestLimit()).isEqualTo(9);
                    assertThat(context.getBean(BulkheadRegistry.class).bulkhead("rollcall"))
                            .isInstanceOf(AdaptiveBulkhead.class);
                });
    }

    @Test
    void failsWithoutTheLibrary() {
        servlet.withClassLoader(new FilteredClassLoader(Bulkhead.class))
                .withPropertyValues("rollcall.max-concurrency=5")
                .run(context -> assertThat(
                                FailureAnalyses.of(context.getStartupFailure()).getAction())
                        .contains("io.github.resilience4j:resilience4j-bulkhead"));
    }

    @Test
    void needsNeitherActuatorNorMicrometer() {
        servlet.withClassLoader(new FilteredClassLoader(PathMappedEndpoints.class, MeterBinder.class))
                .withPropertyValues("rollcall.max-concurrency=5")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(ExemptPaths.class)
                        .doesNotHaveBean("rollcallConcurrencyMetrics"));
    }

    @Test
    void registersInTheApplicationsRegistry() {
        BulkheadRegistry own = BulkheadRegistry.ofDefaults();
        own.bulkhead("rollcall", BulkheadConfig.custom().maxConcurrentCalls(1).build());
        servlet.withBean(BulkheadRegistry.class, () -> own)
                .withPropertyValues("rollcall.max-concurrency=5")
                .run(context -> {
                    assertThat(context).hasSingleBean(BulkheadRegistry.class);
                    assertThat(bulkhead(own, "rollcall")).isEqualTo(5);
                });
    }

    @Test
    void givesGroupsALimitOfTheirOwn() {
        servlet.withPropertyValues(
                        "rollcall.concurrency.groups.slow.paths=/reports/**,/exports/*",
                        "rollcall.concurrency.groups.slow.max-concurrency=2",
                        "rollcall.concurrency.groups.quick.paths=/reports/quick",
                        "rollcall.concurrency.groups.quick.max-concurrency=3")
                .run(context -> {
                    Admission admission = context.getBean(Admission.class);
                    assertThat(admission.gateFor("/reports/7", false).name()).isEqualTo("slow");
                    assertThat(admission.gateFor("/exports/7", false).name()).isEqualTo("slow");
                    assertThat(admission.gateFor("/reports/quick", false).name())
                            .isEqualTo("quick");
                    assertThat(admission.gateFor("/exports/7/8", false)).isNull();
                    assertThat(bulkhead(context.getBean(BulkheadRegistry.class), "rollcall-slow"))
                            .isEqualTo(2);
                });
    }

    @Test
    void measures() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        servlet.withPropertyValues(
                        "rollcall.max-concurrency=1",
                        "rollcall.concurrency.groups.slow.paths=/slow",
                        "rollcall.concurrency.groups.slow.max-concurrency=2")
                .run(context -> {
                    context.getBean(ConcurrencyMetrics.class).bindTo(meters);
                    Gate gate = context.getBean(Admission.class).gateFor("/", false);
                    assertThat(gate.tryEnter()).isNotNull();
                    assertThat(gate.tryEnter()).isNull();
                });
        assertThat(meters.get("rollcall.concurrency.limit")
                        .tag("group", "default")
                        .gauge()
                        .value())
                .isEqualTo(1);
        assertThat(meters.get("rollcall.concurrency.in-flight")
                        .tag("group", "default")
                        .gauge()
                        .value())
                .isEqualTo(1);
        assertThat(meters.get("rollcall.concurrency.rejected")
                        .tag("group", "default")
                        .functionCounter()
                        .count())
                .isEqualTo(1);
        assertThat(meters.get("rollcall.concurrency.limit")
                        .tag("group", "slow")
                        .gauge()
                        .value())
                .isEqualTo(2);
        assertThat(meters.get("rollcall.concurrency.long-lived.limit").gauge().value())
                .isEqualTo(1000);
    }

    @ParameterizedTest
    @CsvSource({"199,200,false", "200,200,true", "10,8,true"})
    void warnsIfTheServersThreadsAreFewer(int limit, int threads, boolean warned, CapturedOutput output) {
        TomcatServerProperties properties = new TomcatServerProperties();
        properties.getThreads().setMax(threads);
        servlet.withBean(TomcatServerProperties.class, () -> properties)
                .withPropertyValues("rollcall.max-concurrency=" + limit)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output.toString().contains("server.tomcat.threads.max = " + threads))
                .isEqualTo(warned);
    }

    private static int bulkhead(BulkheadRegistry registry, String name) {
        return registry.find(name).orElseThrow().getMetrics().getMaxAllowedConcurrentCalls();
    }
}
