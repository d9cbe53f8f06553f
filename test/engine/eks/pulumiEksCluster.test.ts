import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Thing } from "../../doubles/aws/world";
import type { World } from "../runtime/world";
import { testYard } from "../runtime/yard";
import { worldWithAws } from "./world";

/** The provider of @pulumi/eks and AWS are doubles. */
describe("a platform whose cluster is of type pulumiEks", function () {
  this.timeout(180_000);
  let world: World;
  let stack: string;

  before(async () => {
    world = worldWithAws(await testYard());
    stack = `by-eks-${world.tag}`;
    const cluster = {
      type: "pulumiEks",
      name: "acme",
      region: "eu-central-1",
      version: "1.35",
      deletionProtection: false,
      access: { creatorIsAdmin: true, readers: { preview: "arn:aws:iam::123456789012:role/preview" } },
      arguments: { fargate: true },
      nodePools: { general: { instanceTypes: ["m7i.large"], min: 2, max: 5 } },
    };
    await world.configure("platform", stack, "stackyard", { cluster });
  });
  after(() => world.remove());

  const things = (): Thing[] => {
    const account = path.join(world.folder, "aws.json");
    return existsSync(account) ? (JSON.parse(readFileSync(account, "utf8")) as Thing[]) : [];
  };
  const ofType = (type: string): Thing[] => things().filter(({ token }) => token.endsWith(`:${type}`));

  it("has the cluster of eks.Cluster, with the platform's role, add-ons, nodes and access on top", async () => {
    assert.match(
      await world.must("platform", "preview", "-s", stack),
      /eks:index:Cluster cluster-eks-control-plane create/,
    );
    await world.must("platform", "up", "-s", stack, "--yes", "--skip-preview");
    const [cluster, ...more] = ofType("Cluster");
    assert.deepEqual(more, []);
    assert.equal(cluster?.inputs["name"], "acme");
    assert.equal(cluster?.inputs["roleArn"], "arn:aws:iam::123456789012:role/acme-control-plane");
    assert.equal(ofType("Addon").length, 7);
    assert.equal(ofType("FargateProfile").length, 1);
    assert.deepEqual(
      ofType("NodeGroup").map(({ inputs }) => inputs["clusterName"]),
      ["acme", "acme"],
    );
    assert.equal(ofType("AccessEntry").length, 1);
  });

  it("has no changes afterwards, and is destroyed without leftovers", async () => {
    await world.must("platform", "preview", "-s", stack, "--expect-no-changes");
    await world.must("platform", "destroy", "-s", stack, "--yes", "--skip-preview");
    assert.deepEqual(things(), []);
  });
});
