import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";
import { cleanUpCatalog } from "../../../provider/resources/kymaInstallation/catalog";
import { until } from "../cli/held";
import { brokerWith, CATALOG } from "../../doubles/kyma/catalog";

const API = "servicecatalog.k8s.io/v1beta1";
const MANAGER = "https://service-manager.";

describe("the cleanup of Service Catalog before Kyma is removed", () => {
  let client: Client;
  const context = { log: () => undefined, signal: AbortSignal.timeout(120_000) };
  const namesOf = async (kind: string) =>
    (await client.list({ apiVersion: API, kind })).map(({ metadata }) => metadata.name).toSorted();
  const finalizers = async () =>
    (await client.list({ apiVersion: API, kind: "ClusterServiceBroker" })).flatMap(
      ({ metadata }) => metadata.finalizers ?? [],
    );

  before(() => {
    const kubeconfig = readFileSync(path.join(process.env["STACKYARD_TEST_YARD"] ?? "", "kubeconfig"), "utf8");
    client = connect(kubeconfig, undefined, {});
  });
  after(async () => {
    for (const { apiVersion, kind, metadata } of CATALOG)
      await client.remove({ apiVersion, kind, name: metadata.name });
  });

  it("does nothing without Service Catalog", () => cleanUpCatalog(context, client, MANAGER));

  it("deletes the instances of the given brokers and no others", async () => {
    for (const kind of CATALOG) await client.apply(kind);
    const known = () => client.discovery.resource(API, "ServiceInstance").then(Boolean, () => false);
    await until("the kind ServiceInstance is served", known);
    for (const one of brokerWith("ours", "https://service-manager.cfapps.example.com", "default"))
      await client.apply(one);
    for (const one of brokerWith("theirs", "https://other.example.com", "default")) await client.apply(one);
    await cleanUpCatalog(context, client, MANAGER);
    assert.deepEqual(await namesOf("ServiceInstance"), ["theirs"]);
    assert.deepEqual(await namesOf("ClusterServiceBroker"), ["ours", "theirs"]);
    assert.deepEqual(await finalizers(), []);
  });

  it("names the instances that are not deleted in time and keeps their brokers", async () => {
    const [broker, kind, instance] = brokerWith("stuck", "https://service-manager.example.com", "default");
    for (const one of [broker!, kind!]) await client.apply(one);
    const finalizer = ["kubernetes-incubator/service-catalog"];
    await client.apply({ ...instance!, metadata: { ...instance!.metadata, finalizers: finalizer } });
    await assert.rejects(cleanUpCatalog(context, client, MANAGER, 100), /not deleted in time: default\/stuck/);
    assert.deepEqual(await finalizers(), finalizer);
    await client.merge(
      { apiVersion: API, kind: "ServiceInstance", namespace: "default", name: "stuck" },
      { metadata: { finalizers: null } },
    );
    await cleanUpCatalog(context, client, MANAGER);
    assert.deepEqual(await finalizers(), []);
  });
});
