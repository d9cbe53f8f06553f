import assert from "node:assert/strict";
import { ApiError } from "../../../kubernetes/client/apiError";
import type { Client } from "../../../kubernetes/client/client";
import { UnknownKindError } from "../../../kubernetes/client/discovery";
import { claimsLost } from "../../../kubernetes/guard/losses";
import type { KubeObject, OwnerReference, Ref } from "../../../kubernetes/objects/objects";

const owner = (kind: string, name: string, more: object = {}): OwnerReference => ({
  ...{ apiVersion: "apps/v1", kind, name, uid: `uid-${name}` },
  ...more,
});
const object = (kind: string, name: string, metadata: object = {}, more: object = {}): KubeObject => ({
  apiVersion: kind === "PersistentVolumeClaim" ? "v1" : "apps/v1",
  kind,
  metadata: { name, namespace: "shop", uid: `uid-${name}`, ...metadata },
  ...more,
});
const claim = (name: string, metadata: object = {}): KubeObject => object("PersistentVolumeClaim", name, metadata);
const statefulSet = (whenDeleted?: string): KubeObject =>
  object(
    "StatefulSet",
    "db",
    {},
    {
      spec: {
        selector: { matchLabels: { app: "db" } },
        volumeClaimTemplates: [{ metadata: { name: "data" } }],
        ...(whenDeleted && { persistentVolumeClaimRetentionPolicy: { whenDeleted } }),
      },
    },
  );

/** A cluster with these objects, in which nothing is labelled. */
const clusterOf = (...there: readonly KubeObject[]): Client => {
  const isOf = ({ kind, namespace }: Partial<Ref>, one: KubeObject) =>
    one.kind === kind && one.metadata.namespace === namespace;
  return {
    discovery: {
      resource: (apiVersion: string, kind: string) =>
        kind === "Gone"
          ? Promise.reject(new UnknownKindError("unknown", apiVersion, kind))
          : Promise.resolve({ namespaced: kind !== "Cluster" }),
    },
    get: (ref: Ref) => Promise.resolve(there.find((one) => isOf(ref, one) && one.metadata.name === ref.name)),
    list: (place: Partial<Ref>) => Promise.resolve(there.filter((one) => isOf(place, one))),
  } as unknown as Client;
};

describe("the claims that a deletion would delete", () => {
  const lost = async (client: Client, deletion: Parameters<typeof claimsLost>[1]): Promise<string[]> =>
    (await claimsLost(client, deletion)).map(({ metadata }) => metadata.name).sort();

  it("are those of a StatefulSet only if its policy deletes them, or the caller does", async () => {
    const client = clusterOf(claim("data-db-0"), claim("other"));
    const deletion = (policy?: string) => ({ objects: [statefulSet(policy)] });
    assert.deepEqual(await lost(client, deletion("Delete")), ["data-db-0"]);
    assert.deepEqual(await lost(client, deletion("Retain")), []);
    assert.deepEqual(await lost(client, deletion()), []);
    assert.deepEqual(await lost(client, { ...deletion("Delete"), keepsClaims: () => true }), []);
    assert.deepEqual(await lost(client, { ...deletion(), keepsClaims: () => false }), ["data-db-0"]);
  });

  it("are not those that a StatefulSet keeps, although it owns them", async () => {
    const owned = claim("data-db-0", { ownerReferences: [owner("StatefulSet", "db")] });
    assert.deepEqual(await lost(clusterOf(owned), { objects: [statefulSet("Retain")] }), []);
    assert.deepEqual(await lost(clusterOf(owned), { objects: [object("Deployment", "db")] }), ["data-db-0"]);
  });

  it("are those named, those of deleted namespaces, and those among the objects, each once", async () => {
    const [one, two] = [claim("one"), claim("two")];
    const client = clusterOf(one, two, claim("far", { namespace: "other" }));
    assert.deepEqual(await lost(client, { objects: [], claims: [one] }), ["one"]);
    assert.deepEqual(await lost(client, { objects: [], namespaces: ["shop"], claims: [one] }), ["one", "two"]);
    assert.deepEqual(await lost(client, { objects: [two] }), ["two"]);
    assert.deepEqual(await lost(client, { objects: [object("Deployment", "web")] }), []);
  });

  it("are those whose owners all go, or went before", async () => {
    const objects = [object("Deployment", "web")];
    const goes = async (owners: readonly OwnerReference[], ...others: readonly KubeObject[]) =>
      (await lost(clusterOf(claim("c", { ownerReferences: owners }), ...others), { objects })).length === 1;
    const web = owner("Deployment", "web");
    assert.equal(await goes([web]), true);
    assert.equal(await goes([]), false);
    assert.equal(await goes([web, owner("Deployment", "stays")], object("Deployment", "stays")), false);
    assert.equal(await goes([web, owner("Deployment", "away")]), true);
    assert.equal(await goes([owner("Deployment", "again")], object("Deployment", "again", { uid: "new" })), true);
    assert.equal(await goes([owner("Gone", "kind")]), true);
    assert.equal(await goes([owner("Cluster", "one")], object("Cluster", "one", { namespace: undefined })), false);
    const between = object("ReplicaSet", "between", { ownerReferences: [web] });
    assert.equal(await goes([owner("ReplicaSet", "between")], between), true);
  });

  it("are not those of a chain of owners that is longer than ten", async () => {
    const chain = (length: number): KubeObject[] =>
      Array.from({ length }, (_, at) =>
        object("ReplicaSet", `r${at}`, {
          ownerReferences: [at === length - 1 ? owner("Deployment", "web") : owner("ReplicaSet", `r${at + 1}`)],
        }),
      );
    const objects = [object("Deployment", "web")];
    const first = claim("c", { ownerReferences: [owner("ReplicaSet", "r0")] });
    assert.deepEqual(await lost(clusterOf(first, ...chain(10)), { objects }), ["c"]);
    assert.deepEqual(await lost(clusterOf(first, ...chain(11)), { objects }), []);
  });

  it("are not those that go already, nor ephemeral volumes of a pod", async () => {
    const pod = (more: object = {}) => ({ ownerReferences: [owner("Pod", "web", { controller: true, ...more })] });
    const named = async (one: KubeObject) => (await lost(clusterOf(one), { objects: [], namespaces: ["shop"] })).length;
    assert.equal(await named(claim("one", { deletionTimestamp: "2026-01-01T00:00:00Z" })), 0);
    assert.equal(await named(claim("web-scratch", pod())), 0);
    assert.equal(await named(claim("web-scratch", pod({ controller: false }))), 1);
    assert.equal(await named(claim("webscratch", pod())), 1);
    assert.equal(await named(claim("web-scratch", pod({ kind: "Job" }))), 1);
  });

  it("are unknown where they may not be listed", async () => {
    const forbidden = new ApiError("no", 403, "Forbidden");
    const client = { ...clusterOf(), list: () => Promise.reject(forbidden) } as unknown as Client;
    await assert.rejects(
      claimsLost(client, { objects: [], namespaces: ["shop"] }),
      /the claims in namespace shop may not be listed, so it is unknown which would be deleted/,
    );
  });
});
