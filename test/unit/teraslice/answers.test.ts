import assert from "node:assert/strict";
import { apiError } from "../../../kubernetes/client/apiError";
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
