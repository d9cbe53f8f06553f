import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import { POLICY_CASES } from "../../fixtures/policyCases";
import { World } from "../runtime/world";
import { testYard } from "../runtime/yard";

const root = path.join(__dirname, "../../..");
const PACK = ["--policy-pack", path.join(root, "policy/pulumi-analyzer-policy-stackyard")];

/** Makes the good or the bad resource of each case. */
const PROGRAM = `
import * as pulumi from "@pulumi/pulumi";
const cases = JSON.parse(process.env["POLICY_CASES"] ?? "[]");
for (const { name, type, props, protect } of cases) new pulumi.CustomResource(type, name, props, { protect });
`;

describe("the policy pack on the real engine", function () {
  this.timeout(120_000);
  let world: World;
  let stack: string;
  let said: string;

  before(async () => {
    const place = await testYard();
    const doubles = path.join(root, "test/doubles/bin");
    const env = { ...place.env, PATH: [doubles, place.env["PATH"] ?? ""].join(path.delimiter) };
    world = new World({ ...place, env });
    world.setEnv("KUBECONFIG", place.kubeconfig);
    world.setEnv("STACKYARD_AWS_DOUBLE", path.join(world.folder, "aws.json"));
    world.setEnv("STACKYARD_AWS_DOUBLE_KUBECONFIG", place.kubeconfig);
    world.setEnv("AWS_REGION", "eu-central-1");
    world.program("cases", PROGRAM);
    stack = `prod-${world.tag}`;
    await world.must("cases", "stack", "init", stack);
  });
  after(() => world.remove());

  /** The names of resources distinguish rule and case. */
  const nameOf = (index: number): string => `${POLICY_CASES[index]?.rule}-${index}`;
  function make(which: "good" | "bad"): void {
    const set = { kubeconfig: readFileSync(world.place.kubeconfig, "utf8"), cluster: "yard", namespace: "default" };
    const cases = POLICY_CASES.map(({ type, protectedOnly, ...props }, index) => ({
      name: nameOf(index),
      type,
      props: { ...(type.startsWith("stackyard:") && { ...set, name: `policy-${index}` }), ...props[which] },
      protect: which === "good" || protectedOnly === undefined,
    }));
    world.setEnv("POLICY_CASES", JSON.stringify(cases));
  }

  it("accepts resources that comply with its rules", async () => {
    make("good");
    const text = await world.must("cases", "preview", "-s", stack, ...PACK);
    assert.match(text, /✅ stackyard@/);
  });

  it("rejects resources that violate its rules before anything is created", async () => {
    make("bad");
    const { ok, text } = await world.pulumi("cases", "up", "--yes", "-s", stack, ...PACK);
    assert.ok(!ok);
    assert.match(text, /❌ stackyard@/);
    said = text;
    const { deployment } = JSON.parse(await world.must("cases", "stack", "export", "-s", stack)) as {
      deployment: { resources?: unknown[] };
    };
    assert.deepEqual(deployment.resources ?? [], []);
  });

  POLICY_CASES.forEach(({ rule, says }, index) => {
    it(`names ${rule} and the violation of ${nameOf(index)}`, () => {
      const block = said.split(/\n(?= +- \[)/).filter((each) => each.includes(`: ${nameOf(index)})`));
      assert.ok(
        block.some((each) => each.includes(rule) && says.test(each)),
        said,
      );
    });
  });

  it("exempts resources that its config names with a reason", async () => {
    const config = path.join(world.folder, "policy.json");
    const names = POLICY_CASES.map((_, index) => [nameOf(index), "a test"]);
    const allow = Object.fromEntries(names) as object;
    const rules = [...new Set(POLICY_CASES.map(({ rule }) => rule))].map((rule) => [rule, { allow }]);
    writeFileSync(config, JSON.stringify(Object.fromEntries(rules)));
    await world.must("cases", "preview", "-s", stack, ...PACK, "--policy-pack-config", config);
  });

  it("accepts the platform of the yard and its runtimes", async () => {
    const text = readFileSync(path.join(root, "Pulumi.dev.yaml"), "utf8")
      .replace("path: .yard/kubeconfig", `path: ${world.place.kubeconfig}`)
      .replace(/namespace: (\S+)/g, `namespace: $1-${world.tag}`)
      .replace(/(\S+\.tmpl|docs\/examples\/\S+)/g, `${root}/$1`);
    const { config } = load(text) as { config: Record<string, unknown> };
    const keys = Object.entries(config).map(([key, value]) => [key.replace("stackyard:", ""), value]);
    const rest = Object.fromEntries(keys.filter(([key]) => key !== "jupyterhub")) as Record<string, unknown>;
    const ray = {
      default: { ...(config["stackyard:ray"] as { default: object }).default, namespace: `ray-${world.tag}` },
    };
    const instances = {
      hello: { ...(config["stackyard:instances"] as { hello: object }).hello, namespace: `hello-${world.tag}` },
    };
    await world.platform({ ...rest, ray, instances });
    await world.must("platform", "preview", "-s", world.tag, ...PACK);
    for (const provisioner of ["on-demand", "spot"]) {
      const id = `policy-${provisioner}`;
      await world.deployment(id, { slots: 1, version: "v1", provisioner });
      assert.match(await world.must("runtime", "preview", "-s", id, ...PACK), /✅ stackyard@/);
    }
    await world.must("platform", "destroy", "-s", world.tag, "--yes", "--skip-preview");
    const namespaces = ["runtimes", "runtimes-spot", "ray", "hello"].map((name) => `${name}-${world.tag}`);
    await world.kubectl("delete", "namespace", ...namespaces, "--ignore-not-found", "--wait=false");
  });
});
