import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Thing } from "../../doubles/aws/world";
import { blocksOf } from "../../fixtures/pages";
import { Project } from "../cli/project";
import { newProject } from "../library/newProject";
import { World } from "../runtime/world";
import { testYard } from "../runtime/yard";
import { envWithAws } from "./world";

/** The provider of @pulumi/eks and AWS are doubles; the program is the page's, and the cluster takes what it applies. */
describe("a program with a cluster of @pulumi/eks", function () {
  this.timeout(120_000);
  const account = mkdtempSync(path.join(tmpdir(), "stackyard-eks-"));
  let project: Project;
  let world: World;

  before(async () => {
    const place = await testYard();
    world = new World(place);
    project = new Project({ ...place, env: { ...place.env, ...envWithAws(place, account) } });
    await newProject(project.folder, "own");
  });
  after(async () => {
    await project.remove();
    world.remove();
    rmSync(account, { recursive: true, force: true });
  });

  const pulumi = (...args: string[]): Promise<string> => project.must("pulumi", ...args, "-s", "here");
  const things = (): Thing[] => {
    const file = path.join(account, "aws.json");
    return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Thing[]) : [];
  };

  it("has components on it, before it exists as well, shows no changes afterwards, and removes them", async () => {
    const source = blocksOf("docs/cluster.md").find(({ text }) => text.includes("@pulumi/eks"));
    assert.ok(source, "the page has no program");
    const name = `reader-${world.tag}`;
    writeFileSync(path.join(project.folder, "index.js"), source.text.replace('["reader"]', `["${name}"]`));
    await project.must("pulumi", "stack", "init", "here", "--no-select");
    assert.match(await pulumi("preview"), /aws:iam:Role reader-data-access\/reader-role create/);
    await pulumi("up", "--yes", "--skip-preview");
    const { role } = JSON.parse(await pulumi("stack", "output", "--json")) as { role: string };
    const { metadata } = await world.get("serviceaccount", name);
    const { annotations = {} } = metadata as { annotations?: Record<string, string> };
    assert.equal(annotations["eks.amazonaws.com/role-arn"], role);
    const made = things().find(({ outputs }) => outputs["arn"] === role);
    assert.match(String(made?.inputs["assumeRolePolicy"]), new RegExp(`system:serviceaccount:default:${name}`));
    await pulumi("preview", "--expect-no-changes");
    await pulumi("destroy", "--yes", "--skip-preview");
    assert.deepEqual(things(), []);
  });
});
