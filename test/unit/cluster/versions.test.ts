import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AwsQuestions } from "../../../cli/eks/awsQuestions";
import { lockVersions } from "../../../cli/eks/lock";
import { createContext } from "../../../cli/context";
import { workspacesIn } from "../../../foundation/pulumi/backend";
import { ADDON_NAMES } from "../../../components/eks/addons";
import { releaseParameter } from "../../../components/eks/versions/images";
import { addonVersions, lockFaults } from "../../../components/eks/versions/choose";
import { knownVersions } from "../../../components/eks/versions/known";
import { NO_LOCK, parseEksLock, renderEksLock, withVersions } from "../../../components/cluster/onEks/eksLock";
import { upgradedPools } from "../../../components/eks/budgets";
import { resolveEks } from "../../../components/eks/config/resolve";
import { eksCluster } from "../../../components/eks/config/schema";
import type { EksConfig } from "../../../components/cluster/onEks/eksConfig";
import { VersionServer } from "../../doubles/aws/versionServer";
import { mock } from "../runtime/mocks";
import { withWarnings } from "../runtime/warnings";
import { EKS } from "./config.test";

const eksOf = (more: object = {}, lock = NO_LOCK): EksConfig => resolveEks(eksCluster.parse({ ...EKS, ...more }), lock);
const running = (version: string, addons: Record<string, string>) => ({
  c: { type: "aws:eks/cluster:Cluster", outputs: { name: "acme", version } },
  ...Object.fromEntries(
    Object.entries(addons).map(([addonName, addonVersion]) => [
      addonName,
      { type: "aws:eks/addon:Addon", outputs: { addonName, addonVersion } },
    ]),
  ),
});
const locked = (addons: Record<string, string>, images: Record<string, string> = {}) =>
  withVersions(NO_LOCK, "1.35", { addons, images });

describe("the versions of add-ons", () => {
  it("are those of the config, otherwise the recorded ones, otherwise the running ones", () => {
    const state = running("1.35", { coredns: "v1", "vpc-cni": "v1", "kube-proxy": "v1" });
    const config = eksOf({ addonVersions: { coredns: "v3" } }, locked({ coredns: "v2", "vpc-cni": "v2" }));
    assert.deepEqual(addonVersions(config, state), { coredns: "v3", "vpc-cni": "v2", "kube-proxy": "v1" });
    assert.deepEqual(addonVersions(eksOf(), {}), {});
  });

  it("are not taken from a running cluster of another minor", () => {
    const config = eksOf({ version: "1.36" }, locked({ coredns: "v2" }));
    assert.deepEqual(addonVersions(config, running("1.35", { coredns: "v1" })), {});
  });

  it("cause a warning if they are unknown, with the command to record them", async () => {
    const some = Object.fromEntries(ADDON_NAMES.map((name) => [name, "v1"]));
    const warnings = async (addons: Record<string, string>): Promise<string[]> => {
      mock(
        () => ({}),
        () => ({}),
        "prod",
      );
      return (await withWarnings(() => knownVersions(eksOf({}, locked(addons)), {}, undefined as never))).warned;
    };
    assert.deepEqual(await warnings(some), []);
    delete some["coredns"];
    assert.deepEqual(await warnings(some), [
      "No version of coredns for 1.35 is in eks.lock.yaml: they get the usual one of today. " +
        "Record it with: stackyard eks lock --stack prod",
    ]);
  });

  it("must be recorded if the lock is required, and always for pinned images", () => {
    const all = Object.fromEntries(ADDON_NAMES.map((name) => [name, "v1"]));
    assert.deepEqual(lockFaults(eksOf({ lock: "required" }, locked(all)), "prod"), []);
    assert.deepEqual(lockFaults(eksOf(), "prod"), []);
    const some = Object.fromEntries(Object.entries(all).filter(([name]) => name !== "coredns"));
    const [fault, ...more] = lockFaults(eksOf({ lock: "required" }, locked(some)), "prod");
    assert.deepEqual(more, []);
    assert.match(
      fault ?? "",
      /^stackyard:cluster\.lock: found no versions of coredns for 1\.35 in eks\.lock\.yaml; .*--stack prod$/,
    );
    const pinned = eksOf({ ami: "pinned" }, locked({}, { AL2023_x86_64_STANDARD: "1.35.1-20260101" }));
    assert.deepEqual(lockFaults(pinned, "prod"), []);
    const [image] = lockFaults(eksOf({ nodePools: { general: { ...EKS.nodePools.general, ami: "pinned" } } }), "prod");
    assert.match(
      image ?? "",
      /^stackyard:cluster\.nodePools\.general\.ami: found "pinned", and no release of AL2023_x86_64_STANDARD/,
    );
  });
});

describe("the image of a pool", () => {
  const POOL = { instanceTypes: ["m7i.large"], max: 2 };
  it("is that of the pool, otherwise that of the cluster, also for the autoscaler's own pool", () => {
    const { nodePools } = eksOf({ ami: "latest", nodePools: { ...EKS.nodePools, other: { ...POOL, ami: "pinned" } } });
    assert.deepEqual(
      Object.entries(nodePools).map(([name, { ami }]) => [name, ami]),
      [
        ["general", "latest"],
        ["other", "pinned"],
        ["autoscaler", "latest"],
      ],
    );
    assert.equal(eksOf().nodePools["general"]?.ami, undefined);
  });

  const parameters: [string, string][] = [
    [
      "AL2023_x86_64_STANDARD",
      "/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/standard/recommended/release_version",
    ],
    [
      "AL2023_ARM_64_NVIDIA",
      "/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/arm64/nvidia/recommended/release_version",
    ],
    [
      "AL2023_x86_64_NEURON",
      "/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/neuron/recommended/release_version",
    ],
    ["BOTTLEROCKET_ARM_64", "/aws/service/bottlerocket/aws-k8s-1.35/arm64/latest/image_version"],
    ["BOTTLEROCKET_x86_64_NVIDIA", "/aws/service/bottlerocket/aws-k8s-1.35-nvidia/x86_64/latest/image_version"],
  ];
  for (const [type, name] of parameters) {
    it(`of type ${type} is published as ${name}`, () => assert.equal(releaseParameter(type, "1.35"), name));
  }

  it("drains nodes if it changes, so that budgets matter", () => {
    const group = { labels: { "stackyard.dev/node-pool": "general" }, version: "1.35", releaseVersion: "1.35.1-1" };
    const state = { g: { type: "aws:eks/nodeGroup:NodeGroup", outputs: group } };
    assert.deepEqual(upgradedPools(eksOf(), state, { general: "1.35.1-2" }), ["general"]);
    assert.deepEqual(upgradedPools(eksOf(), state, { general: "1.35.1-1" }), []);
    assert.deepEqual(upgradedPools(eksOf(), state), []);
  });
});

describe("the EKS lock file", () => {
  it("is read back as it was written, with several minors", () => {
    const lock = withVersions(
      locked({ coredns: "v1.13.2-eksbuild.1" }, { AL2023_x86_64_STANDARD: "1.35.1-20260101" }),
      "1.36",
      {
        addons: { coredns: "v1.14.0-eksbuild.2" },
        images: {},
      },
    );
    assert.deepEqual(parseEksLock(renderEksLock(lock)), { lock });
  });

  it("is rejected with the reason if it is invalid", () => {
    const trouble = (text: string) => (parseEksLock(text) as { trouble: string }).trouble;
    assert.match(trouble("a: [b"), /not YAML/);
    assert.match(trouble("[]"), /no object with addons and images/);
    assert.match(trouble("addons: { coredns: v1 }"), /no object of Kubernetes minors under addons/);
    assert.match(trouble('addons: { "1.35": { coredns: 1.13 } }'), /no version of coredns under addons\.1\.35/);
    assert.match(trouble("images: 5"), /no object of Kubernetes minors under images/);
  });
});

describe("stackyard eks lock", () => {
  let folder: string;
  let server: VersionServer;
  let questions: AwsQuestions;
  let lines: string[];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "stackyard-eks-lock-"));
    lines = [];
    server = await new VersionServer().start();
    questions = new AwsQuestions("eu-central-1", server.env);
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: "KEY", AWS_SECRET_ACCESS_KEY: "secret" });
  });
  afterEach(async () => {
    delete process.env["AWS_ACCESS_KEY_ID"];
    delete process.env["AWS_SECRET_ACCESS_KEY"];
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  const file = (): string => join(folder, "eks.lock.yaml");
  const recorded = () => parseEksLock(readFileSync(file(), "utf8"));
  async function lock(
    options: { kubernetesVersion?: string; dryRun?: boolean } = {},
    more: object = {},
  ): Promise<string> {
    const context = createContext(workspacesIn(folder, undefined));
    context.live.line = (line) => void lines.push(line);
    await lockVersions(context, eksOf(more), options, questions);
    return lines.join("\n");
  }

  it("records the default versions of AWS, and the images of the pools", async () => {
    const bottlerocket = { instanceTypes: ["m7g.large"], max: 2, os: "bottlerocket" };
    const text = await lock({}, { nodePools: { ...EKS.nodePools, small: bottlerocket } });
    assert.match(text, /coredns +- +v1\.13\.2-eksbuild\.1[^]*eks\.lock\.yaml is changed; commit it/);
    const addons = Object.fromEntries(ADDON_NAMES.map((name) => [name, "v1.13.2-eksbuild.1"]));
    const images = { AL2023_x86_64_STANDARD: "1.35.1-20260101", BOTTLEROCKET_ARM_64: "1.50.0-0a1b2c3d" };
    assert.deepEqual(recorded(), { lock: { addons: { "1.35": addons }, images: { "1.35": images } } });
  });

  it("shows changes, writes nothing in a dry run, and records several minors", async () => {
    await lock();
    server.addon = "v1.14.0-eksbuild.1";
    const before = recorded();
    assert.match(
      await lock({ dryRun: true }),
      /coredns +v1\.13\.2-eksbuild\.1 +v1\.14\.0-eksbuild\.1[^]*left as it is/,
    );
    assert.deepEqual(recorded(), before);
    await lock({ kubernetesVersion: "1.36" });
    const { lock: both } = recorded() as { lock: { addons: Record<string, Record<string, string>> } };
    assert.deepEqual(
      [both.addons["1.35"]?.["coredns"], both.addons["1.36"]?.["coredns"]],
      ["v1.13.2-eksbuild.1", server.addon],
    );
    assert.match(await lock({ kubernetesVersion: "1.36" }), /has them already$/);
  });

  it("does not overwrite an invalid file, and reports errors of AWS", async () => {
    writeFileSync(file(), "addons: 5\n");
    await assert.rejects(lock(), /eks\.lock\.yaml: found no object of Kubernetes minors under addons/);
    rmSync(file());
    assert.equal(await questions.caller(), "arn:aws:iam::123456789012:user/ada");
    process.env["AWS_ACCESS_KEY_ID"] = "OTHER";
    await assert.rejects(lock(), /(eks|ssm) of eu-central-1 answers 403: .*Missing Authentication Token/);
    await assert.rejects(questions.caller(), /sts of eu-central-1 answers 403: .*Missing Authentication Token/);
  });
});
