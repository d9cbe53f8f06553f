import assert from "node:assert/strict";
import type { Work } from "../../../kubernetes/work/work";
import type { Client } from "../../../kubernetes/client/client";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { untilRolledOut } from "../../../kubernetes/ready/wait";
import { reasonsOf } from "../../../kubernetes/reasons/collect";
import { readiness } from "../../../provider/resources/bundleRelease/apply/readiness";

const crd = (status: string): KubeObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.example.com", uid: "1" },
  spec: { group: "example.com", names: { kind: "Thing" } },
  status: { conditions: [{ type: "Established", status }] },
});

describe("a CustomResourceDefinition during a rollout", () => {
  it("is not read again until its kind is served", async () => {
    let reads = 0;
    let questions = 0;
    const client = {
      get: () => Promise.resolve(crd(++reads === 1 ? "False" : "True")),
      discovery: { version: () => Promise.resolve(++questions < 5 ? undefined : "example.com/v1") },
    };
    const work = { client, signal: new AbortController().signal, deadline: Date.now() + 60_000, log: () => undefined };
    const { apiVersion, kind, metadata } = crd("False");
    const awaited = { apiVersion, kind, name: metadata.name, applied: crd("False") };
    await untilRolledOut(work as unknown as Work, [awaited], readiness);
    assert.deepEqual([reads, questions], [2, 5]);
  });

  it("causes no search for pods, and has its events in one namespace", async () => {
    const asked: object[] = [];
    const list = (ref: object) => (asked.push(ref), Promise.resolve([]));
    assert.deepEqual(await reasonsOf({ list } as unknown as Client, crd("False")), []);
    assert.deepEqual(asked, [{ apiVersion: "v1", kind: "Event", namespace: "default" }]);
  });
});
