import assert from "node:assert/strict";
import { apiError } from "../../../kubernetes/client/apiError";

const status = (message: string, more: object = {}): string => JSON.stringify({ kind: "Status", message, ...more });

describe("an error of the API server", () => {
  it("is a request error if the object is too large, despite status 500", () => {
    const { code, message } = apiError("apply ConfigMap a", 500, status("etcdserver: request is too large"));
    assert.equal(code, 413);
    assert.match(message, /^apply ConfigMap a: etcdserver: request is too large/);
  });

  it("is a request error if the object does not match its schema", () => {
    const { code, reason } = apiError(
      "apply Pod a",
      500,
      status("failed to create typed patch object (a/b; v1, Kind=Pod)"),
    );
    assert.deepEqual([code, reason], [422, "Invalid"]);
  });

  it("is a server error otherwise", () => {
    assert.equal(apiError("read", 500, status("etcdserver: leader changed")).code, 500);
    assert.equal(apiError("read", 503, "<html>request is too large</html>").code, 503);
  });
});
