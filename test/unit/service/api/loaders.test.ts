import assert from "node:assert/strict";
import type { Backend } from "../../../../service/api/backend";
import { apiOver, TOKENS } from "./client";
import { deploymentRow, fakeBackend, pageWith } from "./fakeBackend";

describe("a query with nested lists", () => {
  it("read the operations of all deployments at once, once per page size", async () => {
    const backend = fakeBackend();
    const rows = Array.from({ length: 100 }, (_, at) => deploymentRow(`acme-${at}`, "acme"));
    const reads: string[] = [];
    const counted: Backend = {
      ...backend,
      reads: {
        ...backend.reads,
        deployments: () => Promise.resolve(pageWith(rows)),
        operations: (args) => {
          reads.push("operations");
          return backend.reads.operations(args);
        },
        operationsOf: (ids, first) => {
          reads.push(`operationsOf ${ids.length} first ${first}`);
          return backend.reads.operationsOf(ids, first);
        },
      },
    };
    const query =
      "{ deployments(first: 100) { nodes { id operations(first: 3) { totalCount nodes { id } } more: operations(first: 5) { nodes { id } } } } }";
    const { data, errors } = await apiOver(counted).ask(query, { token: TOKENS.viewer });
    assert.equal(errors, undefined);
    assert.deepEqual(reads.sort(), ["operationsOf 100 first 3", "operationsOf 100 first 5"]);
    assert.equal(data?.["deployments"].nodes[1].operations.totalCount, 1);
  });
});
