import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { OUTPUTS } from "../../../components/platform/reference/reference";
import { GOOD, KUBECONFIG, LEDGER, WORKLOAD } from "./fixtures";

interface Registered {
  readonly type: string;
  readonly name: string;
  readonly inputs: Record<string, unknown>;
}

const kubeconfig = KUBECONFIG.replaceAll("current-context: main", "current-context: other");
const elsewhere = kubeconfig.replace("10.0.0.2", "10.0.0.9");

// Public at run time, but marked internal in the types.
const { waitForRPCs } = pulumi.runtime as unknown as { waitForRPCs: () => Promise<void> };

/** Runs `index.ts` with this config and gives back what it registers and exports. */
async function platform(
  values: Record<string, unknown>,
  secretKeys: string[] = [],
  answer: (token: string, inputs: Record<string, unknown>) => Record<string, unknown> = () => ({}),
) {
  const registered: Registered[] = [];
  await pulumi.runtime.setMocks(
    {
      newResource: ({ type, name, inputs }) => {
        registered.push({ type, name, inputs: inputs as Record<string, unknown> });
        return { id: name, state: inputs as Record<string, unknown> };
      },
      call: ({ token, inputs }) => answer(token, inputs as Record<string, unknown>),
    },
    "stackyard",
    "dev",
    false,
    "organization",
  );
  const config = Object.entries(values).map(([key, value]) => [
    `stackyard:${key}`,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  pulumi.runtime.setAllConfig(
    Object.fromEntries(config) as Record<string, string>,
    secretKeys.map((key) => `stackyard:${key}`),
  );
  const index = require.resolve("../../../index.ts");
  delete require.cache[index];
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- run again for each config
  const program = require(index) as () => Promise<Record<string, unknown>>;
  // Not with the program, whose errors the stack would throw once more.
  await pulumi.runtime.runInPulumiStack(() => Promise.resolve({}));
  await waitForRPCs();
  const outputs = await program();
  const resolved: Record<string, { value: unknown; secret: boolean }> = {};
  for (const [name, output] of Object.entries(outputs)) {
    const known = pulumi.output(output);
    resolved[name] = {
      value: await (known as unknown as { promise(): Promise<unknown> }).promise(),
      secret: await pulumi.isSecret(known),
    };
  }
  // Registrations go their own way; all are there once the runtime has nothing left to do.
  await new Promise((resolve) => setTimeout(resolve, 50));
  return { registered, outputs: resolved };
}

const kubernetes = (spec: Record<string, unknown>) => ({
  type: "kubernetes",
  spec: { ...GOOD.provisioners.dedicated.spec, ...spec },
});

describe("the platform program", function () {
  this.timeout(20_000);
  const before = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), "stackyard-"));
  const cluster = { type: "existing", kubeconfig: { path: "kubeconfig" } };

  beforeEach(() => {
    writeFileSync(join(folder, "kubeconfig"), kubeconfig);
    writeFileSync(join(folder, "elsewhere"), elsewhere);
    writeFileSync(join(folder, "statefulset.yaml"), WORKLOAD);
    process.chdir(folder);
  });
  afterEach(() => process.chdir(before));
  after(() => rmSync(folder, { recursive: true }));

  it("exports the outputs listed in docs/config.md, as secrets where marked", async () => {
    const { outputs } = await platform({ ...GOOD, cluster, ledger: LEDGER });
    const found = Object.entries(outputs).map(([name, { secret }]) => ({ name, secret }));
    // What is there in some stacks only has a test where it belongs.
    const listed = OUTPUTS.filter(({ sometimes }) => sometimes !== true);
    assert.deepEqual(
      found,
      listed.map(({ name, secret }) => ({ name, secret })),
    );
  });

  it("exports everything that a runtime needs of each provisioner", async () => {
    const dedicated = kubernetes({ templates: { statefulset: "statefulset.yaml" }, claimsWhenDeleted: "Retain" });
    const provisioners = { shared: GOOD.provisioners.shared, dedicated };
    const { outputs } = await platform({ ...GOOD, cluster, provisioners, ledger: LEDGER });
    const set = outputs["provisioners"]?.value as Record<string, Record<string, unknown>>;
    assert.deepEqual(set["shared"], { type: "static", pool: "dev/shared" });
    const { kubeconfig: text, ...rest } = set["dedicated"] ?? {};
    assert.match(text as string, /guest-token/);
    assert.deepEqual(rest, {
      type: "kubernetes",
      context: "other",
      cluster: "https://10.0.0.2:6443",
      // Read from the cluster, which these mocks don't have.
      clusterUid: undefined,
      namespace: "runtimes",
      host: "https://*.example.com",
      image: "example/runtime",
      timeoutSeconds: 300,
      dataDir: "/mnt/data",
      ping: "/v1/ping",
      templates: [{ key: "statefulset", file: "statefulset.yaml", text: WORKLOAD }],
      claimsWhenDeleted: "Retain",
    });
  });

  it("registers each static pool in the ledger", async () => {
    const { registered } = await platform({ ...GOOD, cluster, ledger: LEDGER });
    const pools = registered.filter(({ type }) => type === "stackyard:index:StaticPool");
    assert.deepEqual(
      pools.map(({ name }) => name),
      ["provisioners-shared"],
    );
    assert.equal(pools[0]?.inputs["pool"], "dev/shared");
    assert.deepEqual(
      (pools[0]?.inputs["hosts"] as { host: string }[]).map(({ host }) => host),
      ["http://localhost:9091"],
    );
  });

  it("registers each Kubernetes provisioner, with its namespace and whether it shares that", async () => {
    const provisioners = {
      one: kubernetes({}),
      two: kubernetes({}),
      far: kubernetes({ kubeconfig: { path: "elsewhere" } }),
    };
    const { registered } = await platform({ cluster, provisioners, defaultProvisioner: "one" });
    const found = registered.filter(({ type }) => /ProvisionerRegistration$/.test(type));
    assert.deepEqual(
      found.map(({ inputs: { platform: of, provisioner, namespace, alone } }) => [of, provisioner, namespace, alone]),
      [
        ["organization/stackyard/dev", "one", "runtimes", false],
        ["organization/stackyard/dev", "two", "runtimes", false],
        ["organization/stackyard/dev", "far", "runtimes", true],
      ],
    );
  });

  describe("with removed provisioners in its state", () => {
    const old = { platform: "organization/stackyard/dev", namespace: "old", kubeconfig: "k", alone: true };
    const outputs = {
      a: { type: "stackyard:index:StaticPool", outputs: { pool: "dev/pool", ledgerUrl: LEDGER } },
      b: { type: "stackyard:index:ProvisionerRegistration", outputs: { ...old, provisioner: "eu" } },
      c: { type: "stackyard:index:ProvisionerRegistration", outputs: { ...old, provisioner: "idle" } },
    };
    const asked: Record<string, unknown>[] = [];
    const state = (token: string, inputs: Record<string, unknown>): Record<string, unknown> => {
      if (token.endsWith("readStackResourceOutputs")) return { outputs };
      asked.push(inputs);
      if (token.endsWith("readPools")) return { inUse: { "dev/pool": "1 deployment: one (2 slots)" }, warnings: [] };
      return inputs["provisioner"] === "eu" ? { inUse: "2 deployments: a, b" } : {};
    };
    const provisioners = { only: kubernetes({}) };
    const values = { cluster, provisioners, defaultProvisioner: "only" };

    it("rejects the removal while provisioners have deployments, and lists them", async () => {
      await assert.rejects(platform(values, [], state), (error: Error) => {
        assert.match(error.message, /cannot be removed .*nothing was changed/);
        assert.match(error.message, /stackyard:provisioners\.pool had 1 deployment: one \(2 slots\)/);
        assert.match(error.message, /stackyard:provisioners\.eu had 2 deployments: a, b/);
        assert.doesNotMatch(error.message, /idle/);
        assert.match(error.message, /pulumi config set --path 'stackyard:allowRemoval\[1\]' eu/);
        return true;
      });
      assert.deepEqual(asked[0], { ledgerUrl: LEDGER, pools: { "dev/pool": [] } });
    });

    it("accepts the removal of provisioners that are allowed by name", async () => {
      await assert.rejects(platform({ ...values, allowRemoval: ["eu"] }, [], state), (error: Error) => {
        return /provisioners\.pool had/.test(error.message) && !error.message.includes("provisioners.eu");
      });
      const { registered } = await platform({ ...values, allowRemoval: ["eu", "pool"] }, [], state);
      assert.ok(registered.length > 0);
    });
  });

  describe("with Gardener provisioners", () => {
    const gardener = (project: string) => ({ type: "gardener", spec: { project, kubeconfig: { path: "elsewhere" } } });
    const provisioners = { one: gardener("rill"), two: gardener("rill"), three: gardener("other") };
    const values = { defaultProvisioner: "one", provisioners };

    it("registers each provisioner, with its project and whether it shares that", async () => {
      const { registered } = await platform(values);
      const found = registered.filter(({ inputs }) => inputs["gives"] === "cluster");
      assert.deepEqual(
        found.map(({ name, inputs: { provisioner, namespace, alone } }) => [name, provisioner, namespace, alone]),
        [
          ["provisioners-one", "one", "garden-rill", false],
          ["provisioners-two", "two", "garden-rill", false],
          ["provisioners-three", "three", "garden-other", true],
        ],
      );
    });

    it("rejects the removal, a new project or a new garden of a provisioner with clusters", async () => {
      const type = "stackyard:index:ProvisionerRegistration";
      const now = (await platform(values)).registered.find(({ name }) => name === "provisioners-one")?.inputs ?? {};
      const was = (provisioner: string, more: object = {}) => ({ type, outputs: { ...now, provisioner, ...more } });
      const outputs = {
        a: was("gone", { namespace: "garden-gone" }),
        b: was("one", { namespace: "garden-before" }),
        c: was("two", { kubeconfig: "former" }),
        d: was("three", { namespace: "garden-other" }),
      };
      const asked: unknown[] = [];
      const state = (token: string, inputs: Record<string, unknown>): Record<string, unknown> => {
        if (token.endsWith("readStackResourceOutputs")) return { outputs };
        asked.push([inputs["provisioner"], (inputs["next"] as { namespace?: string } | undefined)?.namespace]);
        return inputs["provisioner"] === "two" ? {} : { inUse: "2 deployments: a, b" };
      };
      await assert.rejects(platform(values, [], state), (error: Error) => {
        assert.match(error.message, /or Gardener project; nothing was changed/);
        assert.match(
          error.message,
          /- stackyard:provisioners\.gone had 2 deployments: a, b\n {2}- .*\.one had 2 deploy/,
        );
        assert.doesNotMatch(error.message, /provisioners\.t/);
        return true;
      });
      assert.deepEqual(asked, [
        ["gone", undefined],
        ["one", "garden-rill"],
        ["two", "garden-rill"],
      ]);
      assert.ok((await platform({ ...values, allowRemoval: ["gone", "one"] }, [], state)).registered.length > 0);
    });
  });

  describe("with ClickHouse provisioners", () => {
    const own = {
      namespace: "ch",
      version: "26.8",
      runtimeUrl: "http://*.ch",
      templates: { statefulset: "statefulset.yaml" },
    };
    const server = (url: string) => ({ type: "static", spec: { url } });
    const values = {
      ...{ cluster, defaultProvisioner: "only", provisioners: { only: kubernetes({}) } },
      clickhouse: { main: server("http://ch"), twin: server("http://ch:8123"), own: { type: "kubernetes", spec: own } },
    };

    it("registers each provisioner, with its place and whether it shares that", async () => {
      const { registered, outputs } = await platform(values, ["clickhouse"]);
      const found = registered.filter(({ inputs }) => inputs["gives"] === "clickhouse");
      assert.deepEqual(
        found.map(({ name, inputs: { provisioner, namespace, alone } }) => [name, provisioner, namespace, alone]),
        [
          ["clickhouse-static-main", "main", undefined, false],
          ["clickhouse-static-twin", "twin", undefined, false],
          ["clickhouse-kubernetes-own", "own", "ch", true],
        ],
      );
      assert.deepEqual(Object.keys(outputs["clickhouseRevisions"]?.value as object), ["main", "twin", "own"]);
      assert.equal(outputs["clickhouse"]?.secret, true);
    });

    it("rejects the removal or a new type of a provisioner with deployments", async () => {
      const old = { platform: "organization/stackyard/dev", gives: "clickhouse", alone: false };
      const type = "stackyard:index:ProvisionerRegistration";
      const outputs = {
        a: { type, outputs: { ...old, provisioner: "gone", url: "http://gone" } },
        b: { type, outputs: { ...old, provisioner: "main", namespace: "ch" } },
        c: { type, outputs: { ...old, provisioner: "twin", url: "http://ch" } },
      };
      const asked: unknown[] = [];
      const state = (token: string, inputs: Record<string, unknown>): Record<string, unknown> => {
        if (token.endsWith("readStackResourceOutputs")) return { outputs };
        asked.push([inputs["provisioner"], inputs["alone"]]);
        return { inUse: "1 deployment: acme" };
      };
      await assert.rejects(platform({ ...values, allowRemoval: ["only"] }, ["clickhouse"], state), (error: Error) => {
        assert.match(
          error.message,
          /- stackyard:clickhouse\.gone had 1 deployment: acme\n {2}- stackyard:clickhouse\.main had/,
        );
        assert.match(error.message, /'stackyard:allowRemoval\[1\]' clickhouse\.gone/);
        assert.doesNotMatch(error.message, /twin/);
        return true;
      });
      // Nobody else is at the place of the one, and somebody at that of the other.
      assert.deepEqual(asked, [
        ["gone", true],
        ["main", false],
      ]);
      const allowRemoval = ["clickhouse.gone", "clickhouse.main"];
      assert.ok((await platform({ ...values, allowRemoval }, ["clickhouse"], state)).registered.length > 0);
    });
  });

  it("requires no Kubernetes provider, which takes time to start", async () => {
    const provisioners = { only: kubernetes({ createNamespace: true }) };
    const { registered } = await platform({ cluster, provisioners, defaultProvisioner: "only" });
    assert.deepEqual(
      registered.filter(({ type }) => /kubernetes/.test(type)),
      [],
    );
  });

  it("creates each namespace once in its cluster", async () => {
    const provisioners = {
      one: kubernetes({ createNamespace: true }),
      two: kubernetes({ createNamespace: true }),
      own: kubernetes({ createNamespace: true, kubeconfig: { path: "kubeconfig" } }),
      three: kubernetes({ createNamespace: true, namespace: "other" }),
      far: kubernetes({ createNamespace: true, kubeconfig: { path: "elsewhere" } }),
    };
    const { registered } = await platform({ cluster, provisioners, defaultProvisioner: "one" });
    const sets = registered.filter(({ type }) => /ManifestSet$/.test(type));
    const made = sets.map(({ name, inputs: { namespace, cluster } }) => [name, namespace, cluster]);
    // The provider refuses what it does not know.
    const keys = new Set(sets.flatMap(({ inputs }) => Object.keys(inputs)));
    assert.deepEqual([...keys].toSorted(), [
      "cluster",
      "context",
      "kubeconfig",
      "name",
      "namespace",
      "objects",
      "retained",
      "shared",
    ]);
    assert.deepEqual(made.toSorted(), [
      ["provisioners-far/runtimes", "runtimes", "https://10.0.0.9:6443"],
      ["provisioners-platform-other", "other", "https://10.0.0.2:6443"],
      ["provisioners-platform-runtimes", "runtimes", "https://10.0.0.2:6443"],
    ]);
  });

  it("requires no cluster and no ledger if they are not used", async () => {
    const inside = { only: kubernetes({ kubeconfig: { inCluster: true } }) };
    const { outputs } = await platform({ provisioners: inside, defaultProvisioner: "only" });
    assert.deepEqual(Object.keys(outputs), [
      "provisioners",
      "defaultProvisioner",
      "environments",
      "provisionerRevisions",
      "slot",
    ]);
    const { only } = outputs["provisioners"]?.value as Record<string, { cluster: string }>;
    assert.equal(only?.cluster, "in-cluster");
  });

  it("registers nothing if the config has faults, and reports them without a stack trace", async () => {
    await assert.rejects(platform({ ...GOOD, cluster: { type: "gke" }, extra: 1, ledger: LEDGER }), (error: Error) => {
      assert.ok(pulumi.RunError.isInstance(error));
      assert.match(
        error.message,
        /has 2 faults; nothing was changed\.\n {2}- stackyard:cluster\.type: .*\n {2}- stackyard:extra: /,
      );
      return true;
    });
  });

  it("requires a ledger with a password to be a secret", async () => {
    const ledger = "postgres://u:hunter2@h/d";
    await assert.rejects(platform({ ...GOOD, cluster, ledger }), /stackyard:ledger: found a plain text/);
    const { outputs } = await platform({ ...GOOD, cluster, ledger }, ["ledger"]);
    assert.deepEqual(outputs["ledgerUrl"], { value: ledger, secret: true });
  });
});
