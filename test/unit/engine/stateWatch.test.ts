import assert from "node:assert/strict";
import { createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { stateAddress } from "../../../engine/backend/stateAddress";
import { UNWATCHED, watchBackend, watchState, type AskState } from "../../../engine/backend/watch/stateWatch";
import { takesWrites } from "../../../engine/backend/watch/takesWrites";

const STATE = { place: "db.example.com/state", table: "pulumi_state" };
const SOON = { quietMs: 5, answerMs: 5 };

/** Answers its questions on demand. */
class Database {
  asked = 0;
  private answers: ((answer: boolean) => void)[] = [];
  private waiting: (() => void)[] = [];

  readonly ask: AskState = () => {
    this.asked += 1;
    this.waiting.splice(0).forEach((resolve) => resolve());
    return new Promise((resolve) => this.answers.push(resolve));
  };

  answer(value: boolean): void {
    this.answers.splice(0).forEach((resolve) => resolve(value));
  }

  /** The next question. */
  question(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

describe("the watch of a state database", () => {
  it("reports once that the database does not answer, and once that it answers again", async () => {
    const database = new Database();
    const said: string[] = [];
    let heard: () => void = () => undefined;
    const next = () => new Promise<void>((resolve) => (heard = resolve));
    const watch = watchState((text) => (said.push(text), heard()), database.ask, STATE, SOON);
    try {
      await next();
      assert.match(
        said[0] ?? "",
        /^the state database db\.example\.com\/state has not answered since \d{4}-\S+Z: .* locks the table pulumi_state\. .*Ctrl-C cancels/,
      );
      const again = next();
      database.answer(true);
      await again;
      assert.match(said[1] ?? "", /^the state database db\.example\.com\/state answers again, after \d+\.\d s$/);
      assert.equal(said.length, 2);
    } finally {
      watch.end(false);
    }
  });

  it("reports nothing while the database answers or refuses, and asks again", async () => {
    const database = new Database();
    const said: string[] = [];
    const watch = watchState((text) => said.push(text), database.ask, STATE, { quietMs: 1, answerMs: 60_000 });
    try {
      for (const answer of [true, false, true]) {
        await database.question();
        database.answer(answer);
      }
      await database.question();
      assert.deepEqual(said, []);
      assert.equal(database.asked, 4);
    } finally {
      watch.end(false);
    }
  });

  it("sends no query while the engine is active, and none after it has ended", async () => {
    const database = new Database();
    const watch = watchState(() => undefined, database.ask, STATE, { quietMs: 60_000, answerMs: 1 });
    watch.heard();
    watch.end(false);
    watch.heard();
    const other = watchState(() => undefined, database.ask, STATE, { quietMs: 1, answerMs: 1 });
    await database.question();
    assert.equal(database.asked, 1);
    other.end(true);
  });

  it("reports that the database answers again if the update succeeds, and nothing if it fails", async () => {
    for (const succeeded of [true, false]) {
      const database = new Database();
      const said: string[] = [];
      let heard: () => void = () => undefined;
      const silent = new Promise<void>((resolve) => (heard = resolve));
      const watch = watchState((text) => (said.push(text), heard()), database.ask, STATE, SOON);
      await silent;
      watch.end(succeeded);
      assert.equal(said.length, succeeded ? 2 : 1);
      if (succeeded) assert.match(said[1] ?? "", /answers again, after \d/);
    }
  });

  it("is used only for PostgreSQL", () => {
    assert.equal(
      watchBackend({ backend: "file:///var/state" }, () => undefined),
      UNWATCHED,
    );
    assert.equal(
      watchBackend({ backend: "s3://states" }, () => undefined),
      UNWATCHED,
    );
  });

  describe("on a server that hangs", () => {
    let server: Server;
    let url: string;
    const sockets: Socket[] = [];

    before(async () => {
      server = createServer((socket) => sockets.push(socket.resume())).listen(0, "127.0.0.1");
      await once(server, "listening");
      url = `postgres://someone:secret@127.0.0.1:${(server.address() as AddressInfo).port}/state?sslmode=disable`;
    });
    after(async () => {
      server.close();
      await once(server, "close");
    });

    it("waits on one connection, which is closed with the watch", async () => {
      const over = new AbortController();
      const answered = takesWrites(stateAddress(url), over.signal);
      await once(server, "connection");
      over.abort();
      assert.equal(await answered, false);
      if (sockets[0]?.closed === false) await once(sockets[0], "close");
      assert.equal(sockets.length, 1);
    });

    it("does not report a server on which nothing listens as silent", async () => {
      const closed = createServer().listen(0, "127.0.0.1");
      await once(closed, "listening");
      const { port } = closed.address() as AddressInfo;
      closed.close();
      await once(closed, "close");
      const over = new AbortController();
      const address = stateAddress(`postgres://a@127.0.0.1:${port}/state?sslmode=disable`);
      assert.equal(await takesWrites(address, over.signal), false);
    });
  });
});
