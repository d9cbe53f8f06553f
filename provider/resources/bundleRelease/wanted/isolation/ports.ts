/** Ports on which pods of a bundle serve: those of their containers and of Services that may select them. */

import { at, isCore, listAt, numberAt, textAt, type KubeObject } from "../../../../../kubernetes/objects/objects";
import { isObject, type Json } from "../../../../../foundation/json/isObject";

/** A port of a NetworkPolicy. */
export interface Port {
  readonly protocol: string;
  readonly port: number | string;
}

/** Labels, annotations and spec of a pod template. */
export interface Template {
  readonly labels: Json;
  readonly annotations: Json;
  readonly spec: Json;
}

/** Annotation for Prometheus without the operator; the port need not be declared. */
const SCRAPED = "prometheus.io/port";

const portOf = (source: Json, port: number | string): Port => ({ protocol: textAt(source, "protocol") ?? "TCP", port });

const annotated = (annotations: unknown): Port[] => {
  const port = Number(at(annotations, SCRAPED));
  return Number.isInteger(port) && port > 0 && port < 65_536 ? [{ protocol: "TCP", port }] : [];
};

/** Init containers may be sidecars, which serve as long as the pod runs. */
export const declaredPorts = ({ spec, annotations }: Template): Port[] => [
  ...[...listAt(spec, "initContainers"), ...listAt(spec, "containers")].flatMap((container) =>
    listAt(container, "ports").flatMap((one) => {
      const port = numberAt(one, "containerPort");
      return port === undefined ? [] : [portOf(one, port)];
    }),
  ),
  ...annotated(annotations),
];

/**
 * Whether a Service selects such pods now or may do so later: controllers and the pods themselves set labels such as
 * `role: primary`.
 */
export function maySelect(service: KubeObject, { labels }: Template): boolean {
  const selector = at(service, "spec", "selector");
  if (!isCore(service, "Service") || !isObject(selector) || textAt(service, "spec", "type") === "ExternalName")
    return false;
  const known = Object.entries(selector).filter(([key]) => Object.hasOwn(labels, key));
  return known.length > 0 && known.every(([key, value]) => labels[key] === value);
}

/** Undefined for a headless Service without ports, whose clients may use any. */
export function servedPorts(service: KubeObject, { spec }: Template): Port[] | undefined {
  const headless = at(service, "spec", "clusterIP") === "None";
  const ports = listAt(service, "spec", "ports");
  if (headless && ports.length === 0) return undefined;
  const found = ports.flatMap((one) => {
    const port = numberAt(one, "port");
    const target = numberAt(one, "targetPort") ?? textAt(one, "targetPort") ?? port;
    // Clients of a headless Service connect to the pods directly, without port translation.
    const own = headless && port !== undefined ? [port] : [];
    return [...own, ...(target === undefined ? [] : [target])].flatMap((each) => resolved(one, each, spec));
  });
  return [...found, ...annotated(service.metadata.annotations)];
}

/** Resolves named ports, because not every network plugin does. An unknown name may belong to an injected container. */
function resolved(source: Json, port: number | string, spec: Json): Port[] {
  if (typeof port === "number") return [portOf(source, port)];
  const named = [...listAt(spec, "initContainers"), ...listAt(spec, "containers")]
    .flatMap((container) => listAt(container, "ports"))
    .flatMap((one) => (one["name"] === port ? [numberAt(one, "containerPort")] : []))
    .filter((one) => one !== undefined);
  return (named.length > 0 ? named : [port]).map((each) => portOf(source, each));
}

/** Unique and sorted, so that a policy does not depend on the order of its sources. */
export function distinctPorts(ports: readonly Port[]): Port[] {
  const byKey = new Map(ports.map((one) => [`${one.protocol}/${String(one.port).padStart(5, "0")}`, one]));
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, port]) => port);
}
