import { isIP } from "node:net";
import type { Connectors } from "../settings";

/** Host and port of a connection. */
interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Parses `https://host:9200/path`, `host:9092` or `host`. */
export function endpointOf(text: string, usualPort: number): Endpoint {
  const { protocol, hostname, port } = new URL(/^https?:\/\//.test(text) ? text : `tcp://${text}`);
  const implied = protocol === "https:" ? 443 : protocol === "http:" ? 80 : usualPort;
  return { host: hostname.replace(/^\[|\]$/g, ""), port: port === "" ? implied : Number(port) };
}

/** The endpoints of all connections. */
export function endpointsOf(connectors: Connectors): Endpoint[] {
  const all = Object.entries(connectors).flatMap(([type, connections]) =>
    Object.values(connections).flatMap((connection) => {
      if (type === "s3") {
        return [endpointOf(String(connection["endpoint"]), connection["sslEnabled"] === false ? 80 : 443)];
      }
      // Other types of connections need `networkPolicy.egress`.
      if (type !== "kafka" && type !== "elasticsearch-next") return [];
      const [places, port] = type === "kafka" ? [connection["brokers"], 9092] : [connection["node"], 80];
      return (places as readonly string[]).map((place) => endpointOf(place, port));
    }),
  );
  return [...new Map(all.map((each) => [`${each.host} ${each.port}`, each])).values()];
}

/** The endpoint as an egress rule of a NetworkPolicy. `namespace`: that of the connecting pods. */
export function egressTo({ host, port }: Endpoint, namespace: string): object {
  const ports = [{ protocol: "TCP", port }];
  const ip = isIP(host);
  if (ip !== 0) return { to: [{ ipBlock: { cidr: `${host}/${ip === 4 ? 32 : 128}` } }], ports };
  const inCluster = /^[a-z0-9-]+(?:\.([a-z0-9-]+)\.svc(?:\.cluster\.local)?)?\.?$/.exec(host);
  if (inCluster) {
    // Policies match the pod's port, which may differ from the Service's.
    const name = inCluster[1] ?? namespace;
    return { to: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": name } } }] };
  }
  return { to: ["0.0.0.0/0", "::/0"].map((cidr) => ({ ipBlock: { cidr } })), ports };
}
