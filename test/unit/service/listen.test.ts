import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type { Pool, PoolClient } from "pg";
import { listen } from "../../../service/database/listen";

/** A connection whose queries end when this promise does. */
class FakeClient extends EventEmitter {
  released = false;
  constructor(private readonly answer: Promise<unknown>) {
    super();
  }
  query(): Promise<unknown> {
    return this.answer;
  }
  release(): void {
    this.released = true;
  }
}

describe("a database listener", () => {
  const poolOf = (connect: () => Promise<unknown>): Pool => ({ connect: connect as () => Promise<PoolClient> }) as Pool;
  const never = new Promise<never>(() => undefined);

  it("receives notifications of its own channel only", async () => {
    const client = new FakeClient(Promise.resolve());
    const heard: string[] = [];
    const listening = new Promise<void>((resolve) => {
      const { stop } = listen(
        poolOf(() => Promise.resolve(client)),
        "ours",
        (text) => heard.push(text),
        resolve,
      );
      after(stop);
    });
    await listening;
    client.emit("notification", { channel: "ours", payload: "a" });
    client.emit("notification", { channel: "theirs", payload: "b" });
    assert.deepEqual(heard, ["a"]);
  });

  it("stops while it is connecting", async () => {
    const client = new FakeClient(Promise.resolve());
    let connected: (client: FakeClient) => void = () => undefined;
    const { stop } = listen(
      poolOf(() => new Promise((resolve) => (connected = resolve))),
      "ours",
      () => undefined,
    );
    const stopped = stop();
    connected(client);
    await stopped;
    assert.ok(client.released);
  });

  it("stops while the database does not answer", async () => {
    const client = new FakeClient(never);
    const { stop } = listen(
      poolOf(() => Promise.resolve(client)),
      "ours",
      () => undefined,
    );
    await new Promise((resolve) => setImmediate(resolve));
    await stop();
    assert.ok(client.released);
  });
});
