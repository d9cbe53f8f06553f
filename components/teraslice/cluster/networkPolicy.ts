import { isIP } from "node:net";
import { NAMELESS, portsOf, type JobFields } from "../job/fields";
import { jobNameLabel } from "../job/footprint/names";
import type { TerasliceJobSettings } from "../job/settings";
import type { TerasliceSettings, Connectors } from "../settings";
import { clusterLabels, clusterNames, masterLabels, PORTS } from "../podConfig/names";

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
function endpointsOf(connectors: Connectors): Endpoint[] {
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
function egressTo({ host, port }: Endpoint, namespace: string): object {
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

const tcp = (...ports: readonly number[]) => ports.map((port) => ({ protocol: "TCP", port }));
const DNS = { ports: [{ protocol: "UDP", port: 53 }, ...tcp(53)] };

/**
 * Master and jobs may reach each other, the connectors and configured addresses; the master also the API server. They
 * are reachable only for API clients, for metrics and on ports that a job opens. Probes and `kubectl port-forward` come
 * from the node, which policies always admit.
 */
export function networkPolicies(settings: TerasliceSettings, opening: readonly TerasliceJobSettings[] = []): object[] {
  const { networkPolicy, teraslice, terafoundation } = settings;
  if (!networkPolicy.enabled) return [];
  const { namespace } = clusterNames(settings);
  const cluster = { podSelector: { matchLabels: clusterLabels(settings) } };
  const jobs = {
    matchLabels: clusterLabels(settings),
    matchExpressions: [
      { key: "app.kubernetes.io/component", operator: "In", values: ["worker", "execution_controller"] },
    ],
  };
  const outside = [
    ...endpointsOf(terafoundation.connectors).map((endpoint) => egressTo(endpoint, namespace)),
    ...networkPolicy.egress.map(({ cidr, ports }) => ({ to: [{ ipBlock: { cidr } }], ports: tcp(...ports) })),
  ];
  const metrics = terafoundation.prom_metrics_enabled ? [{ ports: tcp(terafoundation.prom_metrics_port) }] : [];
  const clients = [
    { podSelector: {} },
    ...networkPolicy.clientNamespaces.map((name) => ({
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": name } },
    })),
    ...networkPolicy.clientCidrs.map((cidr) => ({ ipBlock: { cidr } })),
  ];
  const apiServer = {
    to: networkPolicy.apiServerCidrs.map((cidr) => ({ ipBlock: { cidr } })),
    ports: tcp(443, 6443),
  };
  const policyOf = (name: string, spec: object): object => ({
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name, namespace },
    spec,
  });
  const policy = (name: string, podSelector: object, ingress: object[], egress: object[]): object =>
    policyOf(name, { podSelector, policyTypes: ["Ingress", "Egress"], ingress, egress });
  /** The policy for a job's external ports, in addition to those for all pods. */
  const opened = ({ key, job }: TerasliceJobSettings): object[] => {
    const fields = job as JobFields;
    const known = metrics.length > 0 ? [terafoundation.prom_metrics_port] : [];
    const ports = portsOf(fields, terafoundation)
      .map((each) => (typeof each === "number" ? each : each.port))
      .filter((port) => !known.includes(port));
    if (ports.length === 0) return [];
    const labels = {
      ...clusterLabels(settings),
      "teraslice.terascope.io/jobName": jobNameLabel(fields.name ?? NAMELESS),
    };
    const ingress = [{ ports: tcp(...new Set(ports)) }];
    return [
      policyOf(`${teraslice.name}-job-${key}`, {
        podSelector: { matchLabels: labels },
        policyTypes: ["Ingress"],
        ingress,
      }),
    ];
  };
  return [
    policy(
      `${teraslice.name}-master`,
      { matchLabels: masterLabels(settings) },
      [
        { from: clients, ports: tcp(teraslice.port) },
        { from: [{ podSelector: jobs }], ports: tcp(teraslice.port, PORTS.master, PORTS.assets) },
        ...metrics,
      ],
      [DNS, apiServer, { to: [cluster] }, ...outside],
    ),
    policy(
      `${teraslice.name}-jobs`,
      jobs,
      [{ from: [cluster], ports: tcp(PORTS.executionController) }, ...metrics],
      [DNS, { to: [cluster] }, ...outside],
    ),
    ...opening.flatMap(opened),
  ];
}
