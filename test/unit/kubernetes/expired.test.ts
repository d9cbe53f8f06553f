import assert from "node:assert/strict";
import { ApiError } from "../../../kubernetes/client/apiError";
import type { Client } from "../../../kubernetes/client/client";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { endOf, isExpiring } from "../../../kubernetes/ready/wait";

const job = (spec: object, apiVersion = "batch/v1"): KubeObject => ({
  apiVersion,
  kind: "Job",
  metadata: { name: "a", namespace: "b", uid: "1" },
  spec,
});
const event = (reason: string, message: string) => ({ type: "Normal", reason, message, metadata: { name: reason } });

describe("a Job that Kubernetes deletes when it finishes", () => {
  const ended = (events: () => Promise<unknown[]>) =>
    endOf({ list: events } as unknown as Client, job({ ttlSecondsAfterFinished: 0 }));

  it("says so", () => {
    assert.ok(isExpiring(job({ ttlSecondsAfterFinished: 0 })));
    assert.ok(!isExpiring(job({})));
    assert.ok(!isExpiring(job({ ttlSecondsAfterFinished: 0 }, "example.com/v1")));
  });

  it("has the result that its events report, or a doubtful one without such an event", async () => {
    const created = event("SuccessfulCreate", "Created pod: a-1");
    assert.deepEqual(await ended(() => Promise.resolve([event("Completed", "Job completed"), created])), {
      done: true,
    });
    const limit = "Job has reached the specified backoff limit";
    assert.deepEqual(await ended(() => Promise.resolve([created, event("BackoffLimitExceeded", limit)])), {
      done: false,
      progress: "deleted during the wait",
      failed: `it failed: ${limit}`,
    });
    assert.deepEqual(await ended(() => Promise.resolve([created])), {
      done: false,
      progress: "deleted during the wait",
      failed: "it was deleted during the wait, and no event says how it ended",
      doubtful: true,
    });
    assert.match(
      JSON.stringify(await ended(() => Promise.reject(new ApiError("no", 403, "Forbidden")))),
      /the user may not read its events, which say how it ended/,
    );
  });
});
