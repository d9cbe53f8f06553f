import assert from "node:assert/strict";
import { apiError } from "../../../kubernetes/client/apiError";
import { plainWords } from "../../../provider/resources/terasliceJob/master/words";
import { isRefusal } from "../../../provider/resources/terasliceJob/master/answers";

describe("an answer of a Teraslice master with status 500", () => {
  it("is a refusal with a message, and not without one", () => {
    const answers = ['{"error":500,"message":"the job has no operations"}', '{"error":500,"message":""}', ""];
    assert.deepEqual(
      answers.map((body) => isRefusal(apiError("register job a", 500, body))),
      [true, false, false],
    );
  });
});

describe("what a Teraslice master says", () => {
  const issues = [
    { code: "custom", path: ["workers", "workers"], message: "must be an integer" },
    { code: "custom", path: ["targets", 1], message: "needs a key" },
  ];

  it("is the paths and messages of its issues, each path once", () => {
    const text = `the job - Zod parse error: ${JSON.stringify(issues, null, 2)}`;
    assert.equal(plainWords(text), "the job - workers: must be an integer; targets.1: needs a key");
  });

  it("stays as it is where it has no issues that can be read", () => {
    for (const text of ["no job was posted", "Zod parse error: [cut off"]) assert.equal(plainWords(text), text);
  });

  it("has no stack traces", () => {
    assert.equal(plainWords("no quota\n    at make (file:///a.js:1:1)\nCaused by: no quota\n    at b"), "no quota");
  });
});
