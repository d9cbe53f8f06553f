import assert from "node:assert/strict";
import type { DeploymentRow, OperationRow } from "../../../../service/database/tables";
import { ANNOTATIONS } from "../../../../service/runtimeResources/kind";
import { ownOf, type OwnReads } from "../../../../service/runtimeResources/own";
import { runtimeOf } from "./runtimes";

const row = (name: string, tenant: string, day: number): DeploymentRow =>
  ({
    ...{ id: `${name}-${tenant}`, name, tenant, createdAt: new Date(day * 86_400_000) },
    desiredConfig: { deployment: { annotations: { [ANNOTATIONS.generation]: "2" } } },
  }) as unknown as DeploymentRow;

/** Reads of a database with these deployments, all with the UID of the Runtime. */
function reads(rows: readonly DeploymentRow[], requested: string | undefined): OwnReads {
  const page = <T>(nodes: readonly T[]) => Promise.resolve({ nodes, hasNextPage: false, totalCount: nodes.length });
  const last = { change: { deployment: { annotations: { [ANNOTATIONS.generation]: requested } } } };
  return {
    deployments: () => page(rows),
    operations: () => page(requested === undefined ? [] : [last as unknown as OperationRow]),
    newest: () => Promise.resolve([]),
  } as unknown as OwnReads;
}

describe("the deployment of a Runtime", () => {
  const runtime = runtimeOf("gcp", { id: "one", tenant: "red" });

  it("is the one that its labels name, whatever else has its UID", async () => {
    const rows = [row("copy", "red", 1), row("one", "blue", 2), row("one", "red", 3)];
    assert.equal((await ownOf(runtime, reads(rows, "3")))?.deployment.id, "one-red");
  });

  it("is the first one that had its UID, when its labels have changed", async () => {
    const rows = [row("copy", "red", 9), row("before", "red", 2)];
    assert.equal((await ownOf(runtime, reads(rows, "3")))?.deployment.id, "before-red");
    assert.equal(await ownOf(runtime, reads([], undefined)), undefined);
  });

  it("has the generation of the newest request, or that of its config when requests are forgotten", async () => {
    const requestedOf = async (requested?: string) =>
      (await ownOf(runtime, reads([row("one", "red", 1)], requested)))?.requested;
    assert.deepEqual([await requestedOf("3"), await requestedOf()], [3, 2]);
  });
});
