import assert from "node:assert/strict";
import { mock } from "node:test";
import { apiError } from "../../../kubernetes/client/apiError";
import type { Client } from "../../../kubernetes/client/client";
import { Line } from "../../../provider/resources/terasliceJob/master/line";
import { plainWords } from "../../../provider/resources/terasliceJob/master/words";
import { isRefusal } from "../../../provider/resources/terasliceJob/master/answers";

describe("a response of a Teraslice master with status 500", () => {
  it("is a rejection only if it has a message", () => {
    const answers = ['{"error":500,"message":"the job has no operations"}', '{"error":500,"message":""}', ""];
    assert.deepEqual(
      answers.map((body) => isRefusal(apiError("register job a", 500, body))),
      [true, false, false],
    );
  });
});

describe("a request that a Teraslice master rejects after a long time", () => {
  it("is reported at once, after one look for what it may have stored", async () => {
    let now = Date.now();
    const clock = mock.method(Date, "now", () => now);
    const client = {
      with: () => ({
        ask: () => {
          now += 60_000;
          return Promise.reject(apiError("register job a", 500, '{"error":500,"message":"no such asset"}'));
        },
      }),
    } as unknown as Client;
    let looks = 0;
    const line = new Line(client, { namespace: "ns", name: "master", port: 5678 }, new AbortController().signal, {});
    const find = () => {
      looks += 1;
      // A look takes time, which would end the test's patience if it were repeated for as long as the request took.
      now += 1_500;
      return Promise.resolve(undefined);
    };
    try {
      await assert.rejects(line.store("register job a", { method: "POST", path: "/jobs" }, find), /no such asset/);
    } finally {
      clock.mock.restore();
    }
    assert.equal(looks, 1);
  });
});

describe("an error message of a Teraslice master", () => {
  const issues = [
    { code: "custom", path: ["workers", "workers"], message: "must be an integer" },
    { code: "custom", path: ["targets", 1], message: "needs a key" },
  ];

  it("is reduced to the paths and messages of its issues", () => {
    const text = `the job - Zod parse error: ${JSON.stringify(issues, null, 2)}`;
    assert.equal(plainWords(text), "the job - workers: must be an integer; targets.1: needs a key");
  });

  it("stays unchanged without readable issues", () => {
    for (const text of ["no job was posted", "Zod parse error: [cut off"]) assert.equal(plainWords(text), text);
  });

  it("is shown without stack traces", () => {
    assert.equal(plainWords("no quota\n    at make (file:///a.js:1:1)\nCaused by: no quota\n    at b"), "no quota");
  });
});
