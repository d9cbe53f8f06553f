import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { estimateOf, hourly, planText, PRICES } from "../../account/costs";
import { readOptions, USAGE } from "../../account/options";
import { alone, RunRecord } from "../../account/record";
import { STEPS } from "../../account/steps";
import { pageText } from "../../fixtures/pages";

const REQUIRED = ["--account", "123456789012", "--region", "eu-central-1", "--repository", "acme/platform"];
const read = (...args: string[]) => readOptions([...REQUIRED, ...args], STEPS, () => undefined)?.options;

describe("the options of the account test", () => {
  it("name all steps, and a folder and a limit of their own, by default", () => {
    const { steps, name, folder, limitMinutes, isChosen } = read("--name", "at-one")!;
    assert.deepEqual(
      steps,
      STEPS.map((step) => step.name),
    );
    assert.deepEqual([name, folder, isChosen], ["at-one", path.resolve(".account-test/at-one"), false]);
    assert.equal(limitMinutes, Math.ceil(1.5 * STEPS.reduce((sum, { minutes }) => sum + minutes, 0)));
    assert.match(read()!.name, /^at-[0-9a-f]{6}$/);
  });

  it("choose steps in their order, whatever the order is in which they are named", () => {
    assert.deepEqual(read("--only", "drift,plan")!.steps, ["plan", "drift"]);
    assert.deepEqual(read("--from", "destroy")!.steps, ["destroy", "leftovers"]);
  });

  const wrong: readonly [string, readonly string[], RegExp][] = [
    ["no account", ["--region", "eu-central-1"], /found no --account; expected the id of an account/],
    ["an account that is none", [...REQUIRED, "--account", "acme"], /--account: found "acme"; expected the id/],
    ["a name that no bucket has", [...REQUIRED, "--name", "At_1"], /--name: found "At_1"; expected at most 20 of/],
    ["an unknown step", [...REQUIRED, "--only", "deplpy"], /--only: found "deplpy"; expected deploy/],
    ["--only with --from", [...REQUIRED, "--only", "drift", "--from", "drift"], /expected one of them/],
    ["an unknown option", [...REQUIRED, "--budget", "3"], /Unknown option '--budget'; --help lists the options/],
  ];
  for (const [what, args, says] of wrong) {
    it(`refuse ${what}`, () => assert.throws(() => readOptions(args, STEPS, () => undefined), says));
  }

  it("come from the run of the folder, which no option may contradict", () => {
    const kept = { name: "at-one", account: "123456789012", region: "us-east-1", repository: "acme/platform" };
    const of = (...args: string[]) =>
      readOptions(["--folder", "x", ...args], STEPS, () => ({ ...kept, version: "1.34" }));
    const { name, region, kubernetesVersion } = of()!.options;
    assert.deepEqual([name, region, kubernetesVersion], ["at-one", "us-east-1", "1.34"]);
    assert.throws(() => of("--version", "1.36"), /--version: found 1\.36; expected 1\.34, of the run in /);
  });

  it("are all in the help", () => {
    assert.equal(
      readOptions(["--help"], STEPS, () => undefined),
      undefined,
    );
    for (const option of ["account", "only", "from", "limit", "clean-up", "dry-run", "yes"])
      assert.match(USAGE, new RegExp(`--${option}\\b`));
  });
});

describe("the costs of the account test", () => {
  it("are counted by the hour, and with extended support by its price", () => {
    const steps = [{ name: "a", does: "a", minutes: 90, charged: { cluster: 1, node: 2 } }];
    const { cluster, extendedCluster, node } = PRICES["us-east-1"]!;
    const close = (found: number, expected: number): void => assert.ok(Math.abs(found - expected) < 1e-9, `${found}`);
    close(hourly({ cluster: 1, node: 2 }, PRICES["us-east-1"]!), cluster + 2 * node);
    close(estimateOf(steps, "us-east-1", false).usd, 1.5 * (cluster + 2 * node));
    close(estimateOf(steps, "us-east-1", true).usd, 1.5 * (extendedCluster + 2 * node));
  });

  it("are those of the documentation", () => {
    const [table = ""] = planText(STEPS, "eu-central-1", false).split("\n\n");
    assert.ok(pageText("test/account/README.md").includes(table), table);
  });

  it("say that those of another region are used where none are known", () => {
    assert.match(
      planText(STEPS, "sa-east-1", false),
      /Prices of sa-east-1 are not known here; these are those of eu-c/,
    );
  });
});

describe("the record of an account test", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "stackyard-account-"))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it("has what exists until it is deleted, also for the next process", () => {
    const record = RunRecord.open(folder, { name: "at-one" });
    record.creates("stack a", "delete a");
    record.creates("stack b", "delete b");
    record.deleted("stack a");
    record.mark("deploy", "failed", 7);
    const next = RunRecord.open(folder, { name: "other" });
    assert.deepEqual(next.existing, [["stack b", "delete b"]]);
    assert.deepEqual([next.step("deploy"), next.id], [{ state: "failed", seconds: 7 }, record.id]);
    assert.deepEqual(RunRecord.optionsIn(folder), { name: "at-one" });
    assert.throws(() => next.value("approved"), /has no approved; run the steps before this one first/);
  });

  it("is used by one process at a time", async () => {
    await alone(folder, async () => {
      await assert.rejects(
        alone(folder, () => Promise.resolve()),
        /process \d+ runs the test of this folder/,
      );
    });
    assert.equal(await alone(folder, () => Promise.resolve(1)), 1);
  });
});
