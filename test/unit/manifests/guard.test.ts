import assert from "node:assert/strict";
import { dataGuard } from "../../../provider/resources/dataGuard/dataGuard";
import { removedParts } from "../../../provider/resources/dataGuard/inputs";
import type { Part } from "../../../provider/resources/dataGuard/inputs";
import { UNKNOWN } from "../../../foundation/pulumi/resource";
import type { Context } from "../../../foundation/pulumi/resource";
import type { Client } from "../../../kubernetes/client/client";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { allowCommands, allowedNames, isLossAllowed, readAllowance } from "../../../kubernetes/guard/allowance";
import { refuseLoss, allowClaimsSince } from "../../../kubernetes/guard/guard";

const allowing = (value: unknown) => readAllowance({ PULUMI_CONFIG: JSON.stringify({ allowDataLoss: value }) });
const claim = (namespace: string, name: string, more: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { namespace, name, ...more },
  spec: { volumeName: `pvc-${name}`, resources: { requests: { storage: "2Gi" } } },
});

describe("allowDataLoss", () => {
  it("allows claims by name, or all claims of a namespace", () => {
    const allowance = allowing('["hub/claim-ann", "lake/*"]');
    const asked = [
      ["hub", "claim-ann"],
      ["hub", "claim-bob"],
      ["lake", "any"],
      ["lakes", "any"],
    ].map(([namespace = "", name = ""]) => isLossAllowed(allowance, { namespace, name }));
    assert.deepEqual(asked, [true, false, true, false]);
    assert.deepEqual(allowedNames(allowance).at(-1), { namespace: "lake", name: "*" });
  });

  it("rejects entries that name no claim, even in unchecked config", () => {
    const { faults } = allowing('["*/*", "*", 7, "hub", "hub/claim-*", "hub/ok"]');
    assert.deepEqual(
      faults.map((fault) => fault.split(":").slice(0, 2).join(":")),
      [0, 1, 2, 3, 4].map((index) => `stackyard:allowDataLoss[${index}]`),
    );
    assert.match(allowing("hub/claim-ann").faults.join(), /found "hub\/claim-ann"; expected a list/);
    for (const none of ["", "[]"]) assert.deepEqual(allowing(none), { entries: [], faults: [] });
    assert.deepEqual(readAllowance({}), { entries: [], faults: [] });
  });

  it("is extended by the commands in an error", () => {
    const commands = allowCommands(allowing('["a/b"]'), "dev", ["hub/x", "lake/*"]);
    assert.deepEqual(commands, [
      "pulumi config set --stack dev --path 'stackyard:allowDataLoss[1]' hub/x",
      "pulumi config set --stack dev --path 'stackyard:allowDataLoss[2]' 'lake/*'",
    ]);
  });
});

describe("a refusal to delete claims", () => {
  const guard = { client: {} as Client, allowance: allowing('["hub/allowed"]'), stack: "dev" };
  const refused = async (...claims: KubeObject[]): Promise<string> => {
    try {
      await refuseLoss({ guard }, "deleting it", () => Promise.resolve(claims));
    } catch (error) {
      return (error as Error).message;
    }
    return "";
  };

  it("names each claim with its size and volume, and the commands that allow the deletion", async () => {
    assert.equal(await refused(claim("hub", "allowed")), "");
    assert.equal(
      await refused(claim("hub", "b"), claim("hub", "allowed"), claim("hub", "a")),
      [
        "deleting it would delete claims with their data, so nothing was deleted:",
        "  - hub/a (2 GiB, volume pvc-a)",
        "  - hub/b (2 GiB, volume pvc-b)",
        "To keep them, take the change back. To let them go, allow it by name and run the command again:",
        "  pulumi config set --stack dev --path 'stackyard:allowDataLoss[1]' hub/a",
        "  pulumi config set --stack dev --path 'stackyard:allowDataLoss[2]' hub/b",
      ].join("\n"),
    );
  });

  it("names the namespace if there are many claims, and shortens the list", async () => {
    const many = Array.from({ length: 60 }, (_, index) => claim("hub", `claim-${index}`));
    const said = await refused(...many);
    assert.match(said, /- and 10 more\n/);
    assert.match(said, /allowDataLoss\[1\]' 'hub\/\*'$/);
  });

  it("ignores claims of a rolled-back change, and does not happen without a guard", async () => {
    const time = Date.parse("2026-01-01T00:00:10.500Z");
    const made = (creationTimestamp: string) => claim("hub", "x", { creationTimestamp });
    const work = allowClaimsSince({ guard }, time);
    await refuseLoss(work, "it", () => Promise.resolve([made("2026-01-01T00:00:10Z")]));
    await assert.rejects(refuseLoss(work, "it", () => Promise.resolve([made("2026-01-01T00:00:09Z")])));
    await refuseLoss({}, "it", () => assert.fail("asked"));
  });
});

describe("a data guard", () => {
  const part = (name: string, more: Partial<Part> = {}): Part => ({ type: "set", namespace: "hub", name, ...more });
  const context = { log: () => undefined } as unknown as Context;
  const changes = async (before: readonly Part[], after: unknown) => {
    const inputs = { parts: after as Part[] };
    return (await dataGuard.diff(context, "", { inputs: { parts: before }, state: {} }, inputs)).changes;
  };

  it("changes only if a part is removed, not if access or contents change", async () => {
    const before = [part("a"), part("b", { kubeconfig: "old" })];
    assert.deepEqual(await changes(before, [part("b", { kubeconfig: "new", inventory: ["v1/x"] }), part("c")]), {
      "parts[0]": "delete",
    });
    assert.deepEqual(await changes(before, [...before, part("c")]), {});
    assert.deepEqual(await changes(before, [part("a"), part("b", { type: "bundle" })]), { "parts[1]": "delete" });
    assert.deepEqual(await changes(before, UNKNOWN), {});
    assert.deepEqual(removedParts({ parts: before }, { parts: [] }), before);
  });

  it("is updated when a part that stays has another generation, which its record gets", async () => {
    const of = (name: string, generation: number) => part(name, { owner: { id: "1", generation } });
    const before = [of("a", 1), of("b", 1), part("c")];
    assert.deepEqual(await changes(before, [of("d", 1), of("b", 2), of("a", 1), of("c", 3)]), {
      "parts[0].owner.generation": "update",
      "parts[1].owner.generation": "update",
      "parts[3].owner.generation": "update",
    });
    assert.deepEqual(await changes(before, [part("a"), ...before.slice(1)]), {});
  });

  it("reports all faults in its inputs with their paths", async () => {
    const { failures } = await dataGuard.check(context, {
      parts: [{ type: "sets", namespace: "", name: "a", x: 1 }],
      y: 1,
    });
    assert.deepEqual(
      failures.map(({ property }) => property),
      ["y", "parts[0].x", "parts[0].type", "parts[0].namespace"],
    );
    assert.deepEqual((await dataGuard.check(context, { parts: UNKNOWN })).failures, []);
  });
});
