import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { planRuntime } from "../../../components/runtime/plan";
import type { Platform } from "../../../components/runtime/platform/platform";
import type { Deployment } from "../../../components/runtime/request/deployment";
import { createRuntime } from "../../../components/runtime/runtime";
import { mock, type Recorder, valueOf } from "./mocks";
import { DEPLOYMENT, EU, PLATFORM } from "./platform";

const OBJECTS = [{ apiVersion: "v1", kind: "Service", metadata: { name: "runtime-acme" } }];

interface Made {
  readonly outputs: Record<string, unknown>;
  readonly recorder: Recorder;
}

async function make(
  provisioner: string,
  change: Partial<Deployment> = {},
  options: { platform?: Platform; allowMove?: boolean; storageBytes?: number | null } = {},
): Promise<Made> {
  const recorder = mock(
    ({ type }) => {
      if (type === "stackyard:index:SlotAllocation") {
        return { host: "http://host-1:9091", audienceUrl: "http://host-1:8081", dataDir: "/mnt/pool" };
      }
      if (type === "stackyard:index:ManifestSet") return { storageBytes: options.storageBytes ?? null, inventory: [] };
      return {};
    },
    () => ({ result: OBJECTS }),
  );
  const platform = options.platform ?? PLATFORM;
  const plan = planRuntime(platform, { ...DEPLOYMENT, ...change }, provisioner);
  const { ledgerUrl } = platform;
  const outputs = await createRuntime(plan, {
    ledgerUrl,
    allowMove: options.allowMove ?? false,
    platform: "organization/stackyard/dev",
    command: "runtime up",
    secretDeployment: false,
  });
  return { outputs: await valueOf(pulumi.output(outputs)), recorder };
}

const withSpec = (change: object): Platform => ({
  ...PLATFORM,
  provisioners: { eu: { ...EU, ...change } },
});

describe("a runtime with a static provisioner", () => {
  it("has a slot allocation, and outputs the host's URLs and the size of its slots", async () => {
    const { outputs, recorder } = await make("shared", { slots: 2 });
    const { inputs } = recorder.only("stackyard:index:SlotAllocation");
    assert.equal(inputs.pool, "dev/shared");
    assert.equal(inputs.deployment, "acme");
    assert.equal(inputs.slots, 2);
    assert.equal(inputs.allowMove, false);
    assert.deepEqual(outputs, {
      host: "http://host-1:9091",
      audienceUrl: "http://host-1:8081",
      dataDir: "/mnt/pool",
      cpu: 2,
      memoryGb: 8,
      storageBytes: 80 * 2 ** 30,
      provisioner: "shared",
      state: "running",
    });
  });

  it("can move to another host only if that is allowed", async () => {
    const { recorder } = await make("shared", {}, { allowMove: true });
    assert.equal(recorder.only("stackyard:index:SlotAllocation").inputs.allowMove, true);
  });

  it("keeps its slots when it hibernates", async () => {
    const running = await make("shared");
    const asleep = await make("shared", { state: "hibernated" });
    const inputs = ({ recorder }: Made) => recorder.only("stackyard:index:SlotAllocation").inputs;
    assert.deepEqual({ ...inputs(asleep), record: undefined }, { ...inputs(running), record: undefined });
    assert.equal(asleep.outputs.state, "hibernated");
  });

  it("fails without the ledger's URL", async () => {
    await assert.rejects(make("shared", {}, { platform: { ...PLATFORM, ledgerUrl: undefined } }), /has no ledgerUrl/);
  });
});

describe("a runtime with a Kubernetes provisioner", () => {
  /** What the template engine was given. */
  interface Rendered {
    readonly path: string;
    readonly namespace: string;
    readonly release_name: string;
    readonly values: Readonly<Record<string, unknown>>;
  }
  const values = ({ recorder }: Made): Rendered => {
    const call = recorder.calls.find(({ token }) => token === "kubernetes:helm:template");
    return JSON.parse(call?.inputs.jsonOpts as string) as Rendered;
  };
  const set = ({ recorder }: Made) => recorder.only("stackyard:index:ManifestSet").inputs;

  it("renders the chart with the deployment's variables", async () => {
    const made = await make("eu", { slots: 2, annotations: { organization_plan: "pro" }, diskGb: 100 });
    const { namespace, release_name: release, values: given, path } = values(made);
    assert.equal(namespace, "runtimes");
    assert.equal(release, "acme");
    assert.match(path, /charts\/runtime$/);
    assert.deepEqual(given, {
      provisionId: "acme",
      image: "example/runtime",
      imageTag: "0.50.0",
      host: "https://node-acme.eu.example.com",
      audienceUrl: "https://node-acme.eu.example.com",
      slots: 2,
      cpu: 2,
      memoryGb: 8,
      storageBytes: 100 * 2 ** 30,
      dataDir: "/mnt/data",
      environment: "prod",
      annotations: { organization_plan: "pro" },
      ping: "/v1/ping",
      hibernated: false,
      templates: {},
    });
  });

  it("applies the rendered objects as one set, with its cluster and origin annotations", async () => {
    const made = await make("eu");
    const inputs = set(made);
    const origin = {
      "stackyard.dev/deployment": "acme",
      "stackyard.dev/platform": "organization/stackyard/dev",
      "stackyard.dev/provisioner": "eu",
    };
    assert.deepEqual(
      inputs.objects,
      OBJECTS.map((object) => ({ ...object, metadata: { ...object.metadata, annotations: origin } })),
    );
    assert.equal(inputs.name, "runtime-acme");
    assert.equal(inputs.namespace, "runtimes");
    assert.equal(inputs.cluster, EU.cluster);
    assert.equal(inputs.timeoutSeconds, 30);
    assert.deepEqual(inputs.ping, { url: "https://node-acme.eu.example.com/v1/ping" });
  });

  it("outputs the actual size of the disk", async () => {
    const { outputs } = await make("eu", {}, { storageBytes: 99 * 2 ** 30 });
    assert.deepEqual(outputs, {
      host: "https://node-acme.eu.example.com",
      audienceUrl: "https://node-acme.eu.example.com",
      cpu: 1,
      memoryGb: 4,
      storageBytes: 99 * 2 ** 30,
      dataDir: "/mnt/data",
      provisioner: "eu",
      state: "running",
    });
  });

  it("outputs the requested size if its templates have no disk", async () => {
    const { outputs } = await make("eu", {}, { storageBytes: null });
    assert.equal(outputs.storageBytes, 40 * 2 ** 30);
  });

  it("is scaled to zero and not pinged while it hibernates", async () => {
    const made = await make("eu", { state: "hibernated" });
    assert.equal(values(made).values.hibernated, true);
    assert.equal(set(made).ping, undefined);
    assert.equal(made.outputs.state, "hibernated");
  });

  it("is not pinged and has no probes if ping is off", async () => {
    const made = await make("eu", {}, { platform: withSpec({ ping: "off" }) });
    assert.equal(set(made).ping, undefined);
    assert.equal(values(made).values.ping, "");
  });

  it("passes the user's templates with sanitizeLabel rewritten for Helm", async () => {
    const templates = [{ key: "service", file: "t.yaml", text: "a: {{ sanitizeLabel .Host }}" }];
    const made = await make("eu", {}, { platform: withSpec({ templates }) });
    assert.deepEqual(values(made).values.templates, {
      service: { file: "t.yaml", text: 'a: {{ include "sanitizeLabel" .Host }}' },
    });
  });

  it("passes claimsWhenDeleted to its set", async () => {
    assert.equal(set(await make("eu")).claimsWhenDeleted, undefined);
    assert.equal(
      set(await make("eu", {}, { platform: withSpec({ claimsWhenDeleted: "Retain" }) })).claimsWhenDeleted,
      "Retain",
    );
  });

  it("renders templates without access to any cluster", async () => {
    const { recorder } = await make("eu");
    assert.match(recorder.only("pulumi:providers:kubernetes").inputs.kubeconfig as string, /without a cluster/);
  });

  it("has equal resource names only for provisioners at the same place", async () => {
    const names = async (provisioner: string) =>
      (await make(provisioner)).recorder.resources.map(({ type, name }) => `${type} ${name}`).sort();
    assert.deepEqual(await names("eu"), await names("eu-next"));
    assert.notDeepEqual(await names("eu"), await names("us"));
  });
});
