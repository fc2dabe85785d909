package io.rollcall.registry.etcd;

import static io.rollcall.registry.etcd.EtcdClients.TIMING;
import static io.rollcall.registry.etcd.EtcdClients.definition;
import static io.rollcall.registry.etcd.EtcdClients.instance;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import io.rollcall.registry.Registry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslStoreBundle;

/** An etcd that speaks TLS only, and only with who has a certificate. */
class EtcdTlsTests {

    private static final String PASSWORD = "changeit";

    @TempDir
    private Path directory;

    private final StaticListableBeanFactory beans = new StaticListableBeanFactory();

    @AutoClose
    private final EtcdClients clients = new EtcdClients(beans);

    @Test
    void speaksTlsWithAClientCertificateByTheNameOfABundle() throws Exception {
        KeyStore keys = keys();
        Path certificate = pem("CERTIFICATE", keys.getCertificate("etcd").getEncoded());
        Path key =
                pem("PRIVATE KEY", keys.getKey("etcd", PASSWORD.toCharArray()).getEncoded());
        DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry();
        bundles.registerBundle(
                "known", SslBundle.of(SslStoreBundle.of(keys, PASSWORD, keys), SslBundleKey.of(PASSWORD)));
        bundles.registerBundle("unknown", SslBundle.of(SslStoreBundle.of(null, null, keys)));
        beans.addBean("sslBundles", bundles);
        try (EtcdServerProcess server = EtcdServerProcess.running(
                "--cert-file=" + certificate,
                "--key-file=" + key,
                "--client-cert-auth",
                "--trusted-ca-file=" + certificate)) {
            String url = "etcds://127.0.0.1:" + server.port();

            Registry known = clients.registry(definition("etcd", url, TIMING, null, "known"));
            known.registrar().join(instance("orders", 8081));
            assertThat(known.resolver().lookup("orders").instances()).hasSize(1);

            Registry withoutCertificate = clients.registry(definition("etcd", url, TIMING, null, "unknown"));
            assertThatException().isThrownBy(() -> withoutCertificate.resolver().lookup("orders"));
            Registry distrustful = clients.registry(url);
            assertThatException()
                    .isThrownBy(() -> distrustful.resolver().lookup("orders"))
                    .withMessageContaining("certification path");
        }
    }

    private KeyStore keys() throws Exception {
        Path store = directory.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "RSA",
                        "-alias",
                        "etcd",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        store.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(keytool.waitFor()).isZero();
        return KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    }

    private Path pem(String type, byte[] content) throws Exception {
        String text = "-----BEGIN " + type + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content) + "\n-----END " + type
                + "-----\n";
        return Files.writeString(directory.resolve(type.replace(' ', '-') + ".pem"), text);
    }
}
