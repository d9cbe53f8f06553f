import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Client } from "../../../kubernetes/client/client";
import { ServerConnection } from "../../../kubernetes/client/connection";
import { judgeShoot } from "../../../kubernetes/gardener/judge";
import { OPERATION_ANNOTATION, progressOf } from "../../../kubernetes/gardener/shoot";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import type { StageContext } from "../../../service/operations/run/stage";
import { waiting } from "../../../service/gardener/waiting";
import { WatchedShoots } from "../../../service/gardener/watched";
import { until } from "../../engine/cli/held";

const RESOURCES = {
  kind: "APIResourceList",
  groupVersion: "core.gardener.cloud/v1beta1",
  resources: [{ name: "shoots", singularName: "shoot", namespaced: true, kind: "Shoot", verbs: ["watch"] }],
};

/** A Shoot as Gardener shows it, with parts that nobody waits for. */
function shoot(name: string, state: string, more: Partial<KubeObject["metadata"]> = {}): KubeObject {
  return {
    apiVersion: "core.gardener.cloud/v1beta1",
    kind: "Shoot",
    metadata: {
      name,
      uid: name,
      generation: 1,
      annotations: { note: "x" },
      managedFields: [{}],
      ...more,
    },
    spec: { dns: { domain: "acme.example.com", providers: [] }, provider: { type: "gcp" } },
    status: {
      observedGeneration: 1,
      lastOperation: { type: "Create", state, progress: 40, description: "making it" },
      conditions: [{ type: "APIServerAvailable", status: "False", message: "it is away" }],
      gardener: { name: "gardenlet" },
    },
  };
}

describe("the watched Shoots of a project", () => {
  let server: Server;
  let client: Client;
  let watches: ServerResponse[];
  let refuse: number | undefined;

  beforeEach(async () => {
    [watches, refuse] = [[], undefined];
    server = createServer((request, response) => {
      if (request.url?.endsWith("/v1beta1")) return void response.end(JSON.stringify(RESOURCES));
      if (refuse !== undefined) response.writeHead(refuse).end("{}");
      else response.writeHead(200).flushHeaders();
      watches.push(response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    client = new Client(new ServerConnection({ server: url, tls: {}, credentials: { kind: "none" } }));
  });
  afterEach(() => {
    stop.abort();
    server.closeAllConnections();
    server.close();
  });

  let stop: AbortController;
  function watched(idleMs?: number): WatchedShoots {
    stop = new AbortController();
    return new WatchedShoots({ client, namespace: "garden-dev", signal: stop.signal, pauseMs: 20, idleMs });
  }
  const send = (type: string, object: KubeObject): void =>
    void watches.at(-1)!.write(`${JSON.stringify({ type, object })}\n`);
  const watching = (count: number) => until("it is watched", () => Promise.resolve(watches.length >= count));
  const knows = (shoots: WatchedShoots, name: string, known = true) =>
    until("it is heard of", () => Promise.resolve((shoots.of(name) !== undefined) === known));

  it("are known by one request, whoever asks and however often, until they are deleted", async () => {
    const shoots = watched();
    assert.equal(shoots.of("acme"), undefined);
    await watching(1);
    send("ADDED", shoot("acme", "Processing"));
    send("ADDED", shoot("other", "Succeeded"));
    await knows(shoots, "other");
    assert.equal(judgeShoot(shoots.of("acme"), "created").progress, "Create Processing, 40 %: making it");
    send("DELETED", shoot("acme", "Processing"));
    await knows(shoots, "acme", false);
    assert.equal(watches.length, 1);
  });

  it("are unknown after the end of a watch or a refusal, until the next watch shows them", async () => {
    const shoots = watched();
    shoots.of("acme");
    await watching(1);
    send("ADDED", shoot("acme", "Processing"));
    await knows(shoots, "acme");
    refuse = 403;
    watches[0]!.end();
    await knows(shoots, "acme", false);
    await watching(3);
    refuse = undefined;
    await watching(watches.length + 1);
    send("ADDED", shoot("acme", "Processing"));
    await knows(shoots, "acme");
  });

  it("are watched only while somebody asks, and until the service stops", async () => {
    const shoots = watched(40);
    shoots.of("acme");
    await watching(1);
    await until("the watch ends", () => Promise.resolve(watches[0]!.destroyed));
    shoots.of("acme");
    await watching(2);
    stop.abort();
    await until("the watch ends", () => Promise.resolve(watches[1]!.destroyed));
    shoots.of("acme");
    await sleep(50);
    assert.equal(watches.length, 2);
  });
});

describe("the progress of a Shoot", () => {
  const states = ["Processing", "Succeeded", "Failed", "Error"];
  const metadata = [{}, { generation: 2 }, { deletionTimestamp: "2026-01-01T00:00:00Z" }];
  const retried = { annotations: { [OPERATION_ANNOTATION]: "retry" } };

  it("is judged like the whole Shoot, of which it is a small part", () => {
    for (const state of states)
      for (const more of [...metadata, retried])
        for (const goal of ["created", "changed", "deleted"] as const) {
          const whole = shoot("acme", state, more);
          assert.deepEqual(judgeShoot(progressOf(whole), goal), judgeShoot(whole, goal));
        }
    const text = JSON.stringify(progressOf(shoot("acme", "Failed")));
    for (const part of ["managedFields", "provider", "gardenlet", "note"]) assert.ok(!text.includes(part), part);
  });
});

describe("an operation that waits for a Shoot", () => {
  const context = { deployment: { id: "acme" }, limitMs: 60_000 } as StageContext;
  const done = { ...shoot("acme", "Succeeded"), status: { ...succeeded(), conditions: [] } };

  function succeeded() {
    return { observedGeneration: 1, lastOperation: { type: "Create", state: "Succeeded", progress: 100 } };
  }

  /** What the stage ends with, and how often it read the Shoot. */
  async function look(known: KubeObject | undefined, live: KubeObject | undefined, alone = false) {
    let reads = 0;
    const shoots = {
      watched: () => Promise.resolve(known),
      of: () => Promise.resolve((reads++, live)),
      retry: () => Promise.resolve(undefined),
    };
    const stage = waiting({
      ...({ name: "WaitingForClusterCreation", goal: "created", limitMs: 60_000, alone, shoots } as const),
    });
    const { end } = await stage.run(context).catch((error: Error) => ({ end: error.message }));
    return [end, reads];
  }

  it("reads nothing while a watch shows that Gardener works", async () => {
    assert.deepEqual(await look(shoot("acme", "Processing"), done), ["waits", 0]);
  });

  it("reads the Shoot before it goes on, fails or has Gardener try again", async () => {
    const working = shoot("acme", "Processing");
    assert.deepEqual(await look(done, working), ["waits", 1]);
    assert.deepEqual(await look(done, done), ["done", 1]);
    assert.deepEqual(await look(shoot("acme", "Failed"), working), ["waits", 1]);
    assert.deepEqual(await look(shoot("acme", "Processing", { deletionTimestamp: "now" }), working), ["waits", 1]);
    assert.deepEqual(await look(undefined, working), ["waits", 1]);
    const [end, reads] = await look(working, undefined);
    assert.deepEqual([end, reads], ["waits", 0]);
  });

  it("reads the Shoot when the watch shows another stage, unless it waits for all of them", async () => {
    const early = { ...shoot("acme", "Processing"), spec: {} };
    assert.deepEqual(await look(early, shoot("acme", "Processing")), ["waits", 1]);
    assert.deepEqual(await look(early, done, true), ["waits", 0]);
  });
});
