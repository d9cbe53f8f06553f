/**
 * Cleans up Service Catalog before Kyma is removed. Otherwise the external resources that brokers created would remain,
 * without a way to delete them.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../../../foundation/pulumi/resource";
import type { Client } from "../../../kubernetes/client/client";
import { textAt, type KubeObject } from "../../../kubernetes/objects/objects";

const apiVersion = "servicecatalog.k8s.io/v1beta1";
type Kind = "ClusterServiceBroker" | "ClusterServiceClass" | "ServiceInstance";
const PAUSE_MS = 1_000;
const PATIENCE_MS = 120_000;

/**
 * Deletes the instances of brokers whose URL has this prefix, and removes the brokers' finalizers. Does nothing without
 * Service Catalog.
 */
export async function cleanUpCatalog(
  context: Pick<Context, "log" | "signal">,
  client: Client,
  brokerUrlPrefix: string,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  if (!(await hasCatalog(client))) return;
  context.log("status", "stage: CleanupCluster");
  const all = (kind: Kind): Promise<KubeObject[]> => client.list({ apiVersion, kind });
  const brokers = await all("ClusterServiceBroker");
  const ours = brokers.filter((one) => textAt(one, "spec", "url")?.startsWith(brokerUrlPrefix) === true);
  const names = new Set(ours.map(({ metadata }) => metadata.name));
  const classes = (await all("ClusterServiceClass"))
    .filter((one) => names.has(textAt(one, "spec", "clusterServiceBrokerName") ?? ""))
    .map(({ metadata }) => metadata.name);
  const isOurs = (one: KubeObject): boolean =>
    classes.includes(textAt(one, "spec", "clusterServiceClassRef", "name") ?? "");
  const instances = (await all("ServiceInstance")).filter(isOurs);
  for (const { metadata } of instances) {
    const { namespace, name, uid } = metadata;
    await client.remove({ apiVersion, kind: "ServiceInstance", namespace, name }, { uid });
  }
  for (const deadline = Date.now() + patienceMs; ;) {
    const left = (await all("ServiceInstance")).filter(isOurs);
    if (left.length === 0) break;
    const names = left.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).join(", ");
    if (Date.now() > deadline) throw new Error(`these ServiceInstances are not deleted in time: ${names}`);
    context.log("status", `stage: CleanupCluster (${left.length} ServiceInstances are left)`);
    await sleep(Math.min(PAUSE_MS, patienceMs), undefined, { signal: context.signal });
  }
  // Their controller is removed with Kyma, so their finalizers would block the deletion.
  for (const { metadata } of brokers.filter(({ metadata }) => (metadata.finalizers ?? []).length > 0)) {
    await client.merge(
      { apiVersion, kind: "ClusterServiceBroker", name: metadata.name },
      { metadata: { finalizers: null } },
    );
  }
}

async function hasCatalog(client: Client): Promise<boolean> {
  const crd = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" };
  const names = ["clusterservicebrokers", "clusterserviceclasses", "serviceinstances"];
  const found = await Promise.all(names.map((name) => client.get({ ...crd, name: `${name}.servicecatalog.k8s.io` })));
  return found.every((one) => one !== undefined);
}
