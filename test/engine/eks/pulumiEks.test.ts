import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Thing } from "../../doubles/aws/world";
import { blocksOf } from "../../fixtures/pages";
import { testYard } from "../runtime/yard";
import type { World } from "../runtime/world";
import { worldWithAws } from "./world";

const root = path.join(__dirname, "../../..");

/** The provider of @pulumi/eks and AWS are doubles; the program is the page's, and the cluster takes what it applies. */
describe("a program with a cluster of @pulumi/eks", function () {
  this.timeout(120_000);
  let world: World;

  before(async () => {
    world = worldWithAws(await testYard());
  });
  after(() => world.remove());

  const things = (): Thing[] => {
    const account = path.join(world.folder, "aws.json");
    return existsSync(account) ? (JSON.parse(readFileSync(account, "utf8")) as Thing[]) : [];
  };

  it("accepts the platform's components, shows no changes afterwards, and removes them", async () => {
    const source = blocksOf("docs/cluster.md").find(({ text }) => text.includes("fromPulumiEks"));
    assert.ok(source, "the page has no program");
    const account = `reader-${world.tag}`;
    const reader = {
      serviceAccounts: { default: [account] },
      accounts: "make",
      createNamespaces: false,
      buckets: [{ bucket: "acme-data", access: "read", prefixes: [] }],
      managedPolicies: {},
    };
    const text = source.text
      .replace(/\.\/components/g, `${root}/components`)
      .replace(/^const own/m, `const entries = ${JSON.stringify({ reader })} as const;\n$&`);
    world.program("own", `${text}\nexport const nodes = nodeRoleArns;\nexport const host = cluster.server;\n`);
    await world.must("own", "stack", "init", "own");
    await world.must("own", "up", "--yes", "--skip-preview");
    const outputs = JSON.parse(await world.must("own", "stack", "output", "--json")) as Record<string, unknown>;
    assert.deepEqual(outputs["nodes"], ["arn:aws:iam::123456789012:role/own-instanceRole"]);
    assert.match(String(outputs["host"]), /^https:\/\//);
    const { metadata } = await world.get("serviceaccount", account);
    const { annotations = {} } = metadata as { annotations?: Record<string, string> };
    assert.match(annotations["eks.amazonaws.com/role-arn"] ?? "", /role\/own-reader$/);
    const role = things().find(({ id }) => id === "own-reader");
    assert.match(String(role?.inputs["assumeRolePolicy"]), new RegExp(`system:serviceaccount:default:${account}`));
    await world.must("own", "preview", "--expect-no-changes");
    await world.must("own", "destroy", "--yes", "--skip-preview");
    assert.deepEqual(things(), []);
  });
});
