/** Checks whether a controller serves the class of an Ingress that a set's ping depends on. */

import { unlessForbidden } from "../client/lookUp";
import { at, type KubeObject } from "../objects/objects";
import type { Site } from "./site";

const KIND = { apiVersion: "networking.k8s.io/v1", kind: "IngressClass" };

/** The class that an Ingress names; undefined for the default class and for other objects. */
function classOf(object: KubeObject): string | undefined {
  const isIngress = object.kind === "Ingress" && object.apiVersion.startsWith("networking.k8s.io/");
  const name = isIngress ? at(object, "spec", "ingressClassName") : undefined;
  return typeof name === "string" ? name : undefined;
}

/**
 * Returns what is wrong with the class of an Ingress, if the Ingress or its class is new. Checks only sets with a ping,
 * which would never succeed without a controller. Returns undefined if the user may not list classes.
 */
export function classCheck({
  client,
  inputs,
}: Site): (object: KubeObject, before: KubeObject | undefined) => Promise<string | undefined> {
  let listed: Promise<readonly string[] | undefined> | undefined;
  const classes = () =>
    (listed ??= unlessForbidden(client.list(KIND)).then((all) => all?.map(({ metadata }) => metadata.name).sort()));
  return async (object, before) => {
    const name = classOf(object);
    if (!inputs.ping || name === undefined || (before && classOf(before) === name)) return undefined;
    const known = await classes();
    if (known === undefined || known.includes(name)) return undefined;
    const { namespace = "default", name: ingress } = object.metadata;
    const there = known.length === 0 ? "it has none" : `it has ${known.join(", ")}`;
    return (
      `Ingress ${namespace}/${ingress}: the cluster has no IngressClass ${name} (${there}), so ${inputs.ping.url} would never ` +
      "answer; install its controller, or name another class in the templates"
    );
  };
}
