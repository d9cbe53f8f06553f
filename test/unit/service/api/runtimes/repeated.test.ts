import assert from "node:assert/strict";
import type { OperationInput } from "../../../../../service/operations";
import { CLUSTER_NAME } from "../../../../../service/operations/limits/clusterName";
import { OperationError } from "../../../../../service/operations/error";
import { isSame } from "../../../../../service/api/runtimes/mutations";
import type { DeploymentRow } from "../../../../../service/database/tables";
import { GCP } from "../../../gardener/clusters";
import { apiOver, errorOf, TOKENS } from "../client";
import { deploymentRow, fakeBackend, operationRow, OPERATIONS, pageWith } from "../fakeBackend";
import { clusterWith, provisioningOf } from "./inputs";

/** The API over a service that has one runtime, of the tenant acme, since the first request. */
function place(more: Partial<DeploymentRow> = {}) {
  const fake = fakeBackend();
  let first: OperationInput | undefined;
  const row = () => deploymentRow(first?.deployment ?? "", "acme", more);
  const operation = () =>
    operationRow(OPERATIONS.acme, row().id, "acme", { change: first!.change, state: "in_progress" });
  const reads = {
    ...fake.reads,
    deploymentOfCluster: () => Promise.resolve(first && row()),
    deploymentsById: () => Promise.resolve(first ? [row()] : []),
    operations: () => Promise.resolve(pageWith([operation()])),
  };
  const request = (asked: OperationInput) => {
    if (first) {
      const parts = { reason: "cluster acme belongs to another deployment", path: CLUSTER_NAME };
      return Promise.reject(new OperationError("CONFLICT", parts));
    }
    first = asked;
    return Promise.resolve(operation());
  };
  const { ask } = apiOver({ ...fake, reads, changes: { ...fake.changes, request } });
  return (fields: string, tenant = "acme") => {
    const config = provisioningOf(clusterWith(`name: "acme" provider: "gcp" ${fields}`));
    const asking = { tenant, token: tenant === "acme" ? TOKENS.operator : TOKENS.all };
    return ask(`mutation { provisionRuntime(config: ${config}) { id runtimeID } }`, asking);
  };
}

describe("a lost response to provisionRuntime", () => {
  it("is repeated with the same operation and runtime for the same request", async () => {
    const provision = place();
    const answers = [await provision(""), await provision("")].map(({ data }) => data?.["provisionRuntime"] as unknown);
    assert.ok(answers[0]);
    assert.deepEqual(answers[0], answers[1]);
  });

  it("is not repeated for another request, or while the runtime is being deprovisioned", async () => {
    const provision = place();
    await provision("");
    assert.equal(errorOf(await provision('purpose: "production"')).path, CLUSTER_NAME);
    const going = place({ desiredState: "absent" });
    await going("");
    assert.equal(errorOf(await going("")).path, CLUSTER_NAME);
  });

  it("is not repeated for another tenant", async () => {
    const provision = place();
    await provision("");
    assert.equal(errorOf(await provision("", "other")).path, CLUSTER_NAME);
  });
});

describe("a request to provision a runtime", () => {
  const change = (more: { labels?: Readonly<Record<string, unknown>>; name?: string; zones?: string[] } = {}) => ({
    deployment: {
      runtime: { name: more.name ?? "acme-x1", labels: more.labels ?? {} },
      cluster: { ...GCP, providerSpecificConfig: { gcpConfig: { zones: more.zones ?? ["a"] } } },
    },
  });
  const labels = { broker_instance_id: "i-1" };

  it("is equal with another random suffix of the runtime's name, but not with other fields", () => {
    assert.equal(isSame(change(), change({ name: "acme-y2" })), true);
    assert.equal(isSame(change(), change({ zones: ["b"] })), false);
  });

  it("is equal with the same broker id and other zones, but not with another broker id", () => {
    assert.equal(isSame(change({ labels }), change({ labels, zones: ["b"] })), true);
    assert.equal(isSame(change({ labels }), change({ labels: { broker_instance_id: "i-2" } })), false);
  });
});
