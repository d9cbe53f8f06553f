import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.plugins.Plugin;
import org.opensearch.transport.Netty4Plugin;

/** A node of OpenSearch with the settings that the image takes from its environment: variables with a dot. */
public final class OpenSearch extends Node {
  private OpenSearch(Environment environment, Collection<Class<? extends Plugin>> plugins) {
    super(environment, plugins, false);
  }

  public static void main(String[] args) throws Exception {
    Settings.Builder settings = Settings.builder()
      .put("path.home", Path.of(args[0]))
      .put("http.type", "netty4")
      .put("transport.type", "netty4")
      .put("network.host", "0.0.0.0");
    System.getenv().forEach((key, value) -> {
      if (key.matches("[a-z_]+(\\.[a-z_]+)+")) settings.put(key, value);
    });
    Environment environment =
      InternalSettingsPreparer.prepareEnvironment(settings.build(), Map.of(), null, () -> "one");
    Node node = new OpenSearch(environment, List.of(Netty4Plugin.class, CommonAnalysisPlugin.class));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      try {
        node.close();
      } catch (java.io.IOException error) {
        throw new java.io.UncheckedIOException(error);
      }
    }));
    node.start();
    Thread.currentThread().join();
  }
}
