import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { graphs } from "../../tools/eksConfigs/graph";
import { lint as lintGraphs } from "../../tools/eksConfigs/lint";
import { pythonEnvironment } from "../../../toolchain/python/environment";
import { karpenterStatements } from "../../../components/karpenter/permissions";
import { INLINE_LIMIT, renderDocument } from "../../../components/cluster/serviceAccountRole/document";
import type { Node } from "../snapshots/graph";
import { lint } from "./linter";

const root = path.join(__dirname, "../../..");
const REGION = "eu-central-1";

/** AWS' own schemas of its resources, of the region, as they come with cfn-lint. */
describe("the AWS inputs of the program", function () {
  this.timeout(240_000);
  let python: string;
  let folder: string;

  before(async function () {
    // The first time the linter is fetched.
    this.timeout(300_000);
    const environment = await pythonEnvironment("cfn", root);
    if ("missing" in environment) return this.skip();
    ({ python } = environment);
    folder = mkdtempSync(path.join(tmpdir(), "stackyard-cfn-"));
  });
  after(() => folder && rmSync(folder, { recursive: true }));

  const graphOf = (stage: string): Node[] =>
    JSON.parse(readFileSync(path.join(root, "test/fixtures/graphs", `${stage}.json`), "utf8")) as Node[];

  /** What is wrong, by resource; that no resource names another one is not. */
  const faultsOf = (graph: readonly Node[]): Promise<string[]> =>
    lintGraphs([{ label: "template", region: REGION, graph }], { python, folder });

  for (const stage of ["dev", "staging", "prod", "staging-karpenter", "staging-auto"]) {
    it(`match the AWS schema of every resource (${stage})`, async () => {
      const graph = graphOf(stage);
      const count = graph.filter(({ type }) => type.startsWith("aws:")).length;
      assert.ok(stage === "dev" ? count === 0 : count > (stage === "staging-auto" ? 40 : 60), String(count));
      if (count > 0) assert.deepEqual(await faultsOf(graph), []);
    });
  }

  it("match the AWS schema of every resource of random clusters", async () => {
    const { made } = await graphs(1, 6);
    assert.deepEqual(await lintGraphs(made, { python, folder }), []);
  });

  for (const flags of [
    [],
    ["--existing-trust"],
    ["--permissions-boundary", "arn:aws:iam::123456789012:policy/bounds"],
  ]) {
    it(`are printed by bootstrap aws ${flags[0] ?? ""} as CloudFormation reads them, without a warning`, () => {
      const stackyard = path.join(root, "cli/bin/stackyard");
      const printed = spawnSync(stackyard, ["bootstrap", "aws", "--repository", "acme/platform", ...flags], {
        encoding: "utf8",
      });
      assert.equal(printed.status, 0, printed.stderr);
      const file = path.join(folder, "bootstrap.yaml");
      writeFileSync(file, printed.stdout);
      const { stdout, status } = spawnSync(python, [path.join(path.dirname(python), "cfn-lint"), "--", file], {
        encoding: "utf8",
      });
      assert.equal(status, 0, stdout);
    });
  }

  it("pass the IAM linter with Karpenter's permissions", async function () {
    const arn = (service: string, rest: string) => `arn:aws:${service}:${rest}`;
    const statements = karpenterStatements({
      clusterArn: arn("eks", "eu-central-1:123456789012:cluster/acme"),
      nodeRoleArn: arn("iam", ":123456789012:role/acme-nodes"),
      queueArn: arn("sqs", "eu-central-1:123456789012:acme-karpenter"),
    });
    const found = await lint({ karpenter: renderDocument(statements, INLINE_LIMIT) });
    if ("missing" in found) return this.skip();
    // What one statement lacks to launch an instance another has; AWS joins them, the linter does not.
    assert.deepEqual(
      found.findings.filter((line) => !line.includes("RESOURCE_MISMATCH")),
      [],
    );
  });

  it("are reported if they are invalid", async () => {
    const wrong = (type: string, change: object) =>
      graphOf("staging").flatMap((node) =>
        node.type === type ? [{ ...node, inputs: { ...(node.inputs as object), ...change } }] : [],
      );
    const faults = async (type: string, change: object) => (await faultsOf(wrong(type, change))).join("\n");
    assert.match(
      await faults("aws:eks/nodeGroup:NodeGroup", { capacityType: "Cheap" }),
      /NodeGroup .* CapacityType: 'Cheap' is not one of/,
    );
    assert.match(
      await faults("aws:cloudwatch/logGroup:LogGroup", { retentionInDays: 91 }),
      /RetentionInDays: 91 is not one of/,
    );
    assert.match(await faults("aws:iam/role:Role", { name: "x".repeat(65) }), /RoleName: .*(longer|too long|maximum)/);
    await assert.rejects(faults("aws:eks/addon:Addon", { more: 1 }), /more would not be checked/);
  });
});
