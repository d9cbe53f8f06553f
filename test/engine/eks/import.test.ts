import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { load } from "js-yaml";
import { ExistingAccountServer, type ExistingAccount } from "../../doubles/aws/existingAccount";
import { thingsOf } from "../../doubles/aws/existingThings";
import type { Thing } from "../../doubles/aws/world";
import { EXISTING } from "../../fixtures/eksAccounts";
import type { World } from "../runtime/world";
import { testYard } from "../runtime/yard";
import { worldWithAws } from "./world";

const run = promisify(execFile);
const cli = path.join(__dirname, "../../../cli/bin/stackyard");

interface Step {
  readonly op: string;
  readonly urn: string;
}

for (const [maker, account] of Object.entries(EXISTING)) {
  describe(`a cluster that ${maker} made`, function () {
    this.timeout(180_000);
    let world: World;
    let server: ExistingAccountServer;
    let stack: string;
    let cluster: Record<string, unknown>;

    before(async () => {
      const place = await testYard();
      world = worldWithAws(place);
      stack = `taken-${world.tag}`;
      server = await new ExistingAccountServer(account).start();
      writeFileSync(path.join(world.folder, "aws.json"), JSON.stringify(thingsOf(account, place.kubeconfig)));
      world.setEnv("STACKYARD_AWS_DOUBLE_SUBNETS", JSON.stringify(subnetsOf(account)));
    });
    after(async () => {
      await server.stop();
      world.remove();
    });

    const folder = (): string => path.join(world.folder, "platform");
    const importFile = (): string => path.join(folder(), `eks-imports.${stack}.yaml`);
    const things = (): Thing[] => JSON.parse(readFileSync(path.join(world.folder, "aws.json"), "utf8")) as Thing[];
    const stackyard = async (...args: string[]): Promise<string> => {
      const { env } = world.surroundings("platform");
      const all = { env: { ...env, ...server.env, STACKYARD_PROJECT: folder() } };
      const { stdout, stderr } = await run(process.execPath, [cli, ...args], all);
      return stdout + stderr;
    };
    const preview = async (): Promise<Step[]> => {
      const text = await world.must("platform", "preview", "-s", stack, "--json");
      return (JSON.parse(text.slice(text.indexOf("{"))) as { steps: Step[] }).steps;
    };

    it("is only shown by a dry run", async () => {
      const text = await stackyard("eks", "import", "acme", "--stack", stack, "--dry-run");
      assert.match(text, /resources of acme are imported\n\nStays as it is/);
      assert.match(text, /nothing was written/);
      assert.ok(!existsSync(importFile()));
    });

    it("becomes a stack whose preview imports, and replaces and deletes nothing", async () => {
      await stackyard("eks", "import", "acme", "--stack", stack);
      assert.deepEqual(server.refused, [], "it asked for something that is no read");
      const file = path.join(folder(), `Pulumi.${stack}.yaml`);
      const { config } = load(readFileSync(file, "utf8")) as { config: Record<string, unknown> };
      rmSync(file);
      const written = config["stackyard:cluster"] as Record<string, unknown>;
      assert.equal(written["importFile"], path.basename(importFile()));
      // The program of a world is in another folder than its stack files.
      cluster = { ...written, importFile: importFile() };
      await world.configure("platform", stack, "stackyard", { cluster });
      const steps = await preview();
      const imported = steps.filter(({ op }) => op === "import").map(({ urn }) => urn.split("::").at(-1));
      const { resources } = load(readFileSync(importFile(), "utf8")) as { resources: { name: string }[] };
      assert.deepEqual(imported.toSorted(), resources.map(({ name }) => `cluster-eks-${name}`).toSorted());
      const bad = steps.filter(({ op }) => !["import", "create", "update", "same", "read"].includes(op));
      assert.deepEqual(bad, []);
    });

    it("is the stack's after the first update, which creates no second one, and then there is nothing to change", async () => {
      const [before] = things().filter(({ token }) => token === "aws:eks/cluster:Cluster");
      await world.must("platform", "up", "-s", stack, "--yes", "--skip-preview");
      const [after, ...more] = things().filter(({ token }) => token === "aws:eks/cluster:Cluster");
      assert.deepEqual(more, []);
      for (const key of ["roleArn", "kubernetesNetworkConfig", "encryptionConfig", "vpcConfig", "tags"])
        assert.deepEqual(after?.inputs[key], before?.inputs[key], key);
      await world.must("platform", "preview", "-s", stack, "--expect-no-changes");
    });

    it("leaves roles, which others may use, when the stack is destroyed", async () => {
      await world.configure("platform", stack, "stackyard", { cluster: { ...cluster, deletionProtection: false } });
      await world.must("platform", "up", "-s", stack, "--yes", "--skip-preview");
      // EKS deletes no cluster with a node group, such as one that the stack did not take over.
      const isForeign = ({ id }: Thing): boolean => id === "acme:Windows";
      const file = path.join(world.folder, "aws.json");
      writeFileSync(file, JSON.stringify(things().filter((one) => !isForeign(one))));
      await world.must("platform", "destroy", "-s", stack, "--yes", "--skip-preview");
      const existing = thingsOf(account, world.place.kubeconfig).map(({ token, id }) => `${token} ${id}`);
      const left = things().flatMap(({ token, id }) => (/aws:iam/.test(token) ? [`${token} ${id}`] : []));
      assert.deepEqual(left.toSorted(), existing.filter((one) => /^aws:iam\/role/.test(one)).toSorted());
    });

    it("refuses to write over the files of another import", async () => {
      await assert.rejects(
        stackyard("eks", "import", "acme", "--stack", stack),
        /found Pulumi\.\S+ and eks-imports\.\S+; expected no such file/,
      );
    });
  });
}

const subnetsOf = ({ subnetSet }: ExistingAccount): object =>
  Object.fromEntries(subnetSet.map(({ subnetId, ...subnet }) => [subnetId, subnet]));
