import assert from "node:assert/strict";
import { apiError } from "../../../kubernetes/client/apiError";
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
