import * as assert from "node:assert/strict";
import { ApiError } from "../../../../kubernetes/client/apiError";
import type { Client } from "../../../../kubernetes/client/client";
import type { KubeObject, Ref } from "../../../../kubernetes/objects/objects";
import { detailsOn, recordOn, withRecord } from "../../../../kubernetes/owners/annotations";
import { offerTo, type Claimant } from "../../../../kubernetes/owners/record";
import {
  finishOwner,
  forgetOwner,
  offerOwner,
  offerSeen,
  readOwner,
  takeOwner,
} from "../../../../kubernetes/owners/store";

const REF = { apiVersion: "v1", kind: "ConfigMap", namespace: "runtimes", name: "acme.owner" };
const THING = { title: "set runtimes/acme", adopt: "stackyard adopt runtimes/acme --stack STACK" };
const DETAILS = { urn: "urn:pulumi:acme::stackyard-runtime::a::b", clusterUid: "c" };
const HERE = { stack: "stackyard-runtime/acme", backend: "s3://states" };
const THERE = { stack: "stackyard-runtime/copy", backend: "s3://states" };

const claimant = (changes: Partial<Claimant> = {}): Claimant => ({ ...HERE, owner: "a", generation: 0, ...changes });

/** One ConfigMap, with the conflicts of an API server. `loses`: the next responses to writes are lost. */
class Server {
  live: KubeObject | undefined;
  loses = 0;
  #version = 0;

  readonly client = {
    get: () => Promise.resolve(this.live),
    create: (object: KubeObject) => this.#write(object, this.live === undefined),
    replace: (object: KubeObject) =>
      this.#write(object, object.metadata.resourceVersion === this.live?.metadata.resourceVersion),
    remove: (_: Ref, { resourceVersion }: { resourceVersion?: string }) => {
      if (resourceVersion !== this.live?.metadata.resourceVersion) return Promise.resolve(false);
      this.live = undefined;
      return Promise.resolve(true);
    },
  } as unknown as Client;

  #write(object: KubeObject, isAllowed: boolean): Promise<KubeObject> {
    if (!isAllowed) return Promise.reject(new ApiError("conflict", 409, "Conflict"));
    this.live = { ...object, metadata: { ...object.metadata, uid: "u", resourceVersion: String(++this.#version) } };
    if (this.loses-- > 0) return this.#write(object, false);
    return Promise.resolve(this.live);
  }
}

describe("an owner record in a cluster", () => {
  let server: Server;
  beforeEach(() => (server = new Server()));
  const take = async (by: Claimant, owner = by.owner ?? "") => {
    const claim = { ref: REF, claimant: by, thing: THING };
    const held = await takeOwner(server.client, claim, owner, DETAILS, await readOwner(server.client, REF));
    return held ?? assert.fail("there is no namespace");
  };

  it("shows the owner in annotations that kubectl can read", async () => {
    const held = await finishOwner(server.client, await take(claimant()), { claims: { "runtimes/data-0": "uid" } });
    const { annotations = {} } = server.live?.metadata ?? {};
    assert.equal(annotations["stackyard.dev/owner-stack"], "stackyard-runtime/acme");
    assert.deepEqual([held.record.generation, held.record.from, held.record.phase], [1, 0, "applied"]);
    assert.deepEqual(recordOn(server.live as KubeObject), held.record);
    assert.deepEqual(detailsOn(held.object), { ...DETAILS, claims: { "runtimes/data-0": "uid" } });
  });

  it("is taken by only one of two concurrent claimants", async () => {
    const claim = { ref: REF, thing: THING };
    await take(claimant());
    const other = claimant({ owner: "b", ...THERE });
    await assert.rejects(
      takeOwner(server.client, { ...claim, claimant: other }, "b", DETAILS, undefined),
      /set runtimes\/acme belongs to stack stackyard-runtime\/acme in s3:\/\/states/,
    );
    assert.equal(recordOn(server.live as KubeObject)?.owner, "a");
  });

  it("is adopted or offered only as it was seen, also where there was none", async () => {
    const adopter = (stack: typeof HERE) => claimant({ ...stack, adopts: "a", byCommand: true });
    const adopt = (by: Claimant) =>
      takeOwner(server.client, { ref: REF, thing: THING, claimant: by }, "a", DETAILS, undefined);
    await adopt(adopter(HERE));
    await assert.rejects(adopt(adopter(THERE)), /belongs to stack stackyard-runtime\/acme in /);
    server = new Server();
    const offer = (stack: typeof HERE) => offerSeen(server.client, REF, undefined, { to: offerTo(stack), owner: "a" });
    await offer(HERE);
    await assert.rejects(
      offer(THERE),
      /it belongs to another owner: its owner id is a\. .* being adopted by stackyard-runtime\/acme in /,
    );
    await assert.rejects(adopt(adopter(THERE)), /belongs to another owner/);
    assert.equal((await adopt(adopter(HERE)))?.record.stack, HERE.stack);
  });

  it("survives a lost response", async () => {
    server.loses = 1;
    const held = await take(claimant());
    assert.equal(held.record.generation, 1);
    server.loses = 1;
    assert.equal((await finishOwner(server.client, held, {})).record.phase, "applied");
  });

  it("stops a change that another process has overtaken", async () => {
    const held = await take(claimant());
    await offerOwner(server.client, await take(claimant()), offerTo(THERE));
    const taken = await take(claimant({ owner: "b", ...THERE }));
    await assert.rejects(finishOwner(server.client, held, {}), /changed by another process meanwhile: it belongs to/);
    await forgetOwner(server.client, held);
    assert.equal(recordOn(server.live as KubeObject)?.owner, "b");
    assert.equal(taken.record.offeredTo, undefined);
    await forgetOwner(server.client, taken);
    assert.equal(server.live, undefined);
  });

  it("keeps other labels and annotations of its object", () => {
    const object: KubeObject = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "bundle-shop", labels: { a: "b" }, annotations: { c: "d" } },
    };
    const record = {
      ...HERE,
      owner: "a",
      generation: 1,
      from: 0,
      phase: "applied" as const,
      changedAt: "now",
      changedBy: "ann@laptop",
    };
    const offered = withRecord(object, { ...record, offeredTo: "x" }, DETAILS);
    const next = withRecord(offered, record, DETAILS);
    assert.deepEqual([next.metadata.labels?.["a"], next.metadata.annotations?.["c"]], ["b", "d"]);
    assert.deepEqual(recordOn(next), record);
    assert.equal(recordOn(object), undefined);
  });
});
