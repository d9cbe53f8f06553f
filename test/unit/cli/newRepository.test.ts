import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { load } from "js-yaml";
import { chooseParts } from "../../../cli/new/choose";
import type { Choices, FeatureName } from "../../../cli/new/choices";
import { firstCommands, repositoryFiles } from "../../../cli/new/files";
import type { NewOptions } from "../../../cli/new/options";
import { projectRoot } from "../../../toolchain/root";
import { decode, KUBECONFIG } from "../config/fixtures";

const FEATURES: readonly FeatureName[] = ["ray", "jupyterhub", "bundle", "runtimes"];
const EXISTING = { type: "existing", kubeconfig: "yard/kubeconfig", context: "main" } as const;
const EKS = { type: "eks", name: "acme", region: "eu-central-1" } as const;
const choices = (more: Partial<Choices> = {}): Choices => ({
  ...{ stack: "dev", cluster: EXISTING, features: FEATURES, state: "s3://acme-state", packageSource: "^0.1.0" },
  ...more,
});

/** Decodes the stack file of a repository. */
function decoded(given: Choices) {
  const files = repositoryFiles("acme", given);
  const { config } = load(files[`Pulumi.${given.stack}.yaml`] ?? "") as { config: Record<string, unknown> };
  const values = Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key.replace("stackyard:", ""), value]),
  );
  return decode(values, { stack: given.stack });
}

describe("a new repository", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "stackyard-new-"))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("has a valid stack file with any feature, on an existing cluster and on EKS", () => {
    for (const cluster of [EXISTING, EKS]) {
      for (const features of [[], ...FEATURES.map((name) => [name]), FEATURES]) {
        const config = decoded(choices({ cluster, features }));
        assert.equal(config.cluster?.type, cluster.type);
        assert.equal(Object.keys(config.ray ?? {}).length, features.includes("ray") ? 1 : 0);
        assert.equal(config.bundles.length, features.includes("bundle") ? 1 : 0);
        assert.equal(config.jupyterhub !== undefined, features.includes("jupyterhub"));
        assert.equal(Object.keys(config.provisioners).length, features.includes("runtimes") ? 1 : 0);
      }
    }
  });

  it("has a workflow with the pinned actions of this repository, unless the state is a local folder", () => {
    const workflows = path.join(projectRoot(), ".github");
    const texts = readdirSync(workflows, { recursive: true, encoding: "utf8" }).filter((file) => /\.ya?ml$/.test(file));
    const own = texts.map((file) => readFileSync(path.join(workflows, file), "utf8")).join("\n");
    const name = ".github/workflows/platform.yaml";
    for (const given of [choices(), choices({ cluster: EKS, secretsProvider: "awskms://alias/a" })]) {
      const text = repositoryFiles("acme", given)[name] ?? "";
      const { jobs } = load(text) as { jobs: Record<string, { steps: { uses?: string }[] }> };
      assert.deepEqual(Object.keys(jobs), ["preview", "deploy"]);
      const used = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
      assert.ok(used.length >= 6);
      for (const action of used) assert.ok(own.includes(`uses: ${action} `), action);
      assert.equal(text.includes("PULUMI_CONFIG_PASSPHRASE"), given.secretsProvider === undefined);
    }
    assert.equal(repositoryFiles("acme", choices({ state: "file://~" }))[name], undefined);
  });

  it("installs the command line from a registry, and what is on AWS only there", () => {
    const manifest = (given: Choices) => {
      const { dependencies, devDependencies } = JSON.parse(repositoryFiles("acme", given)["package.json"] ?? "") as {
        readonly dependencies: Readonly<Record<string, string>>;
        readonly devDependencies?: object;
      };
      return [Object.keys(dependencies).join(" "), devDependencies];
    };
    const own = { "stackyard-cli": "^0.1.0" };
    assert.deepEqual(manifest(choices()), ["@pulumi/kubernetes @pulumi/pulumi stackyard", own]);
    assert.deepEqual(manifest(choices({ cluster: EKS })), [
      "@pulumi/aws @pulumi/kubernetes @pulumi/pulumi stackyard",
      own,
    ]);
    assert.equal(firstCommands(choices())[2], "npx stackyard doctor dev");
    const packageSource = "file:/tmp/stackyard-0.1.0.tgz";
    assert.equal(manifest(choices({ packageSource }))[1], undefined);
    assert.match(firstCommands(choices({ packageSource }))[2] ?? "", /^STACKYARD_PROJECT="\$PWD" stackyard doctor/);
  });

  const options = (more: Partial<NewOptions> = {}): NewOptions => {
    const kubeconfig = path.join(folder, "kube.yaml");
    writeFileSync(kubeconfig, KUBECONFIG);
    return { stack: "dev", kubeconfig, ...more };
  };

  it("is chosen by at most five questions, with defaults", async () => {
    const asked: string[] = [];
    const answers = ["eks", "acme eu-central-1", "ray, bundle", "", "awskms://alias/a"];
    const ask = (question: string): Promise<string> => {
      asked.push(question);
      return Promise.resolve(answers[asked.length - 1] ?? "");
    };
    const { cluster, features, state, secretsProvider } = await chooseParts(options(), ask);
    assert.equal(asked.length, 5, asked.join("\n"));
    assert.deepEqual([cluster, features, state], [EKS, ["ray", "bundle"], "file://~"]);
    assert.equal(secretsProvider, "awskms://alias/a");
  });

  it("takes the current context by default, and the path of the kubeconfig", async () => {
    const { "current-context": current } = load(KUBECONFIG) as { readonly "current-context": string };
    const { cluster, features } = await chooseParts(options(), () => Promise.resolve(""));
    assert.deepEqual(cluster, { type: "existing", kubeconfig: path.join(folder, "kube.yaml"), context: current });
    assert.deepEqual(features, ["ray"]);
    const plain = await chooseParts(options({ context: current, state: "env", features: "none" }), undefined);
    assert.deepEqual([plain.state, plain.features], [undefined, []]);
  });

  it("is refused with the option that is wrong", async () => {
    const refused: readonly (readonly [Partial<NewOptions>, RegExp])[] = [
      [{}, /^found no cluster; expected --context NAME, or --eks/],
      [{ context: "nope" }, /kube\.yaml: context of the kubeconfig: found .*nope/],
      [{ context: "main", eks: "acme" }, /--context and --eks exclude each other/],
      [{ eks: "acme" }, /^--region: found ""; expected a region/],
      [
        { eks: "acme", region: "eu-central-1", features: "ray,rai" },
        /^--features: found "rai"; expected some of ray, jupyter/,
      ],
      [{ eks: "acme", region: "eu-central-1", features: "jupyterhub", stack: "prod" }, /a stack dev or dev-…/],
      [
        { eks: "acme", region: "eu-central-1", state: "postgres://u:hunter2@db/x" },
        /^--state: found a user or a password/,
      ],
      [{ eks: "acme", region: "eu-central-1", secrets: "vault" }, /^--secrets: found "vault"; expected passphrase/],
      [{ stack: "a/b" }, /^--stack: found "a\/b"/],
    ];
    for (const [more, expected] of refused) {
      await assert.rejects(chooseParts(options(more), undefined), (error: Error) => {
        assert.match(error.message, expected);
        assert.doesNotMatch(error.message, /hunter2/);
        return true;
      });
    }
    writeFileSync(path.join(folder, "broken.yaml"), "users: [token: hunter2");
    const broken = { ...options({ context: "main" }), kubeconfig: path.join(folder, "broken.yaml") };
    await assert.rejects(chooseParts(broken, undefined), (error: Error) => !error.message.includes("hunter2"));
  });
});
