import assert from "node:assert/strict";
import { ApiError } from "../../../kubernetes/client/apiError";
import type { Client } from "../../../kubernetes/client/client";
import type { KubeObject, Ref } from "../../../kubernetes/objects/objects";
import { lookUp } from "../../../kubernetes/client/lookUp";

const ref = (namespace: string, name: string): Ref => ({ apiVersion: "v1", kind: "ConfigMap", namespace, name });
const refs = (namespaces: number, each: number): Ref[] =>
  Array.from({ length: namespaces }, (_n, n) => Array.from({ length: each }, (_i, i) => ref(`n${n}`, `c${i}`))).flat();

const objectOf = ({ apiVersion, kind, namespace, name }: Ref): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, namespace },
});

/** A cluster that has these, and notes how it is asked. */
class Cluster {
  readonly asked: string[] = [];

  constructor(
    private readonly objects: readonly Ref[],
    private readonly forbidden: readonly string[] = [],
  ) {}

  readonly client = {
    get: (one: Ref) => {
      this.asked.push(`get ${one.namespace}/${one.name}`);
      const found = this.objects.find(({ namespace, name }) => namespace === one.namespace && name === one.name);
      return Promise.resolve(found && objectOf(found));
    },
    list: ({ namespace }: Ref, { label = "" }) => {
      const place = `list ${namespace ?? "*"}${label}`;
      this.asked.push(place);
      if (this.forbidden.includes(place)) return Promise.reject(new ApiError("no", 403, "Forbidden", []));
      return Promise.resolve(this.objects.filter((one) => !namespace || one.namespace === namespace).map(objectOf));
    },
  } as unknown as Client;
}

describe("looking up many objects", () => {
  it("gets a few objects one by one, and lists many of a kind in a namespace", async () => {
    const wanted = [...refs(1, 20), ref("n1", "c0"), ref("n1", "none")];
    const cluster = new Cluster([...refs(2, 30)]);
    const found = await lookUp(cluster.client, wanted);
    assert.deepEqual(cluster.asked.sort(), ["get n1/c0", "get n1/none", "list n0"]);
    assert.equal(found.size, 21);
  });

  it("lists the whole cluster for labelled objects in many namespaces, and omits other objects", async () => {
    const wanted = refs(20, 3);
    const cluster = new Cluster([...refs(30, 3)]);
    const found = await lookUp(cluster.client, wanted, { label: "a=b" });
    assert.deepEqual(cluster.asked, ["list *a=b"]);
    assert.equal(found.size, wanted.length);
    const few = new Cluster([]);
    await lookUp(few.client, refs(2, 20), { label: "a=b" });
    assert.deepEqual(few.asked, ["list n0a=b", "list n1a=b"]);
  });

  it("falls back to each namespace or each object without the right to list more", async () => {
    const wanted = [...refs(4, 15), ref("n9", "c0")];
    const cluster = new Cluster(wanted, ["list *a=b", "list n0a=b"]);
    const found = await lookUp(cluster.client, wanted, { label: "a=b" });
    assert.equal(found.size, wanted.length);
    assert.deepEqual(
      cluster.asked.filter((one) => one.startsWith("list")),
      ["list *a=b", "list n0a=b", "list n1a=b", "list n2a=b", "list n3a=b"],
    );
    assert.equal(cluster.asked.filter((one) => one.startsWith("get n0/")).length, 15);
  });
});
