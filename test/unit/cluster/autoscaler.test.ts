import assert from "node:assert/strict";
import fc from "fast-check";
import { minorOf, TAGS } from "../../../components/clusterAutoscaler/images";
import { autoscalerStatements } from "../../../components/clusterAutoscaler/permissions";
import { planValues } from "../../../components/clusterAutoscaler/plan";
import type { AutoscalerSettings } from "../../../components/clusterAutoscaler/config/schema";
import { ClusterAutoscaler } from "../../../components/clusterAutoscaler/clusterAutoscaler";
import { clusterAutoscaler } from "../../../components/clusterAutoscaler/feature";
import { eks } from "../../../components/eks/feature";
import { createFeatures } from "../../../components/platform/create";
import { readOwnState } from "../../../components/resources/ownState";
import { isWild, POLICY_LIMIT, renderDocument } from "../../../components/cluster/serviceAccountRole/document";
import type { PlatformConfig } from "../../../components/platform/config/platformConfig";
import { decode, GOOD, linesOf } from "../config/fixtures";
import { mock, settled, type Recorder, type Registered } from "../runtime/mocks";
import { answerOf } from "./answers";
import { EKS } from "./config.test";

const ARN = "arn:aws-cn:eks:cn-north-1:123456789012:cluster/acme";
const provisioners = { dedicated: GOOD.provisioners.dedicated };
const onEks = (clusterAutoscaler: object, cluster: object = EKS, rest: object = {}) => ({
  cluster,
  provisioners,
  defaultProvisioner: "dedicated",
  clusterAutoscaler,
  ...rest,
});
const THERE = { name: "acme", region: "eu-central-1", version: "1.35" };
const onExisting = (clusterAutoscaler: object) => ({ ...onEks(clusterAutoscaler), cluster: GOOD.cluster });

function settingsOf(values: Record<string, unknown>): AutoscalerSettings {
  const { clusterAutoscaler } = decode(values);
  return clusterAutoscaler ?? assert.fail("there is no autoscaler");
}
function refuses(values: Record<string, unknown>, pattern: RegExp): void {
  const lines = linesOf(values);
  assert.equal(lines.length, 1, lines.join("\n"));
  assert.match(lines[0] ?? "", pattern);
}

describe("the permissions of the autoscaler", () => {
  const statements = autoscalerStatements(ARN);

  it("allow it to read all resources, but to change only the groups of its own cluster", () => {
    const [see, nodeGroups, scale] = (
      JSON.parse(renderDocument(statements, POLICY_LIMIT)) as { Statement: Record<string, unknown>[] }
    ).Statement;
    assert.equal(see?.["Resource"], "*");
    for (const action of see["Action"] as string[]) assert.match(action, /:(Describe|Get)/);
    assert.deepEqual(nodeGroups, {
      Sid: "SeeNodeGroups",
      Effect: "Allow",
      Action: "eks:DescribeNodegroup",
      Resource: "arn:aws-cn:eks:cn-north-1:123456789012:nodegroup/acme/*/*",
    });
    assert.deepEqual(scale, {
      Sid: "Scale",
      Effect: "Allow",
      Action: ["autoscaling:SetDesiredCapacity", "autoscaling:TerminateInstanceInAutoScalingGroup"],
      Resource: "arn:aws-cn:autoscaling:cn-north-1:123456789012:autoScalingGroup:*:autoScalingGroupName/*",
      Condition: {
        StringEquals: {
          "aws:ResourceTag/k8s.io/cluster-autoscaler/enabled": "true",
          "aws:ResourceTag/k8s.io/cluster-autoscaler/acme": "owned",
        },
      },
    });
  });

  it("never allow a change without a condition, whatever the name of the cluster", () => {
    const name = fc.stringMatching(/^[0-9A-Za-z][A-Za-z0-9_-]{0,99}$/);
    fc.assert(
      fc.property(name, fc.constantFrom("aws", "aws-cn", "aws-us-gov"), (cluster, partition) => {
        for (const one of autoscalerStatements(`arn:${partition}:eks:x-y-1:123456789012:cluster/${cluster}`)) {
          const changes = one.actions.some((action) => !/:(Describe|Get)/.test(action));
          assert.ok(!changes || (one.conditions !== undefined && !isWild(one)));
          assert.ok(!isWild(one) || (one.wildcardReason ?? "").length > 20);
        }
      }),
    );
  });

  it("are rejected for an ARN that is no EKS cluster", () => {
    assert.throws(() => autoscalerStatements("arn:aws:iam::1:role/x"), /expected the ARN of a cluster on EKS/);
  });
});

describe("the values of the autoscaler's chart", () => {
  const settings = settingsOf(onEks({ enabled: true }));

  it("select the nodes, the cluster and the region of the autoscaler", () => {
    const values = planValues(settings, "arn:aws:iam::1:role/x");
    assert.deepEqual(values["nodeSelector"], { dedicated: "clusterAutoscaler" });
    assert.deepEqual(values["tolerations"], [
      { key: "dedicated", operator: "Equal", value: "clusterAutoscaler", effect: "NoSchedule" },
    ]);
    assert.equal(values["awsRegion"], "eu-central-1");
    assert.deepEqual(values["autoDiscovery"], {
      clusterName: "acme",
      tags: ["k8s.io/cluster-autoscaler/enabled", "k8s.io/cluster-autoscaler/acme"],
    });
    assert.deepEqual(values["image"], {
      repository: "registry.k8s.io/autoscaling/cluster-autoscaler",
      tag: TAGS["1.35"],
    });
    assert.deepEqual(values["podDisruptionBudget"], { maxUnavailable: 1 });
    assert.deepEqual((values["rbac"] as { serviceAccount: object }).serviceAccount, {
      create: true,
      name: "cluster-autoscaler",
      annotations: {
        "eks.amazonaws.com/role-arn": "arn:aws:iam::1:role/x",
      },
    });
  });

  it("contain the config as flags of the autoscaler", () => {
    const { extraArgs, expanderPriorities, serviceMonitor } = planValues(
      settingsOf(
        onEks({
          expander: ["priority", "least-waste"],
          priorities: { 10: [".*"] },
          balanceSimilarGroups: false,
          scaleDown: { unneededFor: "90s", utilizationThreshold: 0.7, nodesWithLocalStorage: true },
          serviceMonitor: { release: "prometheus" },
        }),
      ),
      undefined,
    ) as Record<string, Record<string, unknown>>;
    assert.equal(extraArgs?.["expander"], "priority,least-waste");
    assert.equal(extraArgs["balance-similar-node-groups"], false);
    assert.equal(extraArgs["scale-down-unneeded-time"], "90s");
    assert.equal(extraArgs["scale-down-utilization-threshold"], 0.7);
    assert.equal(extraArgs["skip-nodes-with-local-storage"], false);
    assert.equal(extraArgs["skip-nodes-with-system-pods"], true);
    assert.deepEqual(expanderPriorities, { 10: [".*"] });
    assert.deepEqual(serviceMonitor?.["selector"], { release: "prometheus" });
  });
});

describe("the config of the autoscaler", () => {
  it("has an image for each Kubernetes minor, of the same minor", () => {
    for (const [minor, tag] of Object.entries(TAGS)) {
      assert.equal(minorOf(tag), minor);
      assert.equal(settingsOf(onEks({ enabled: true }, { ...EKS, version: minor })).image.tag, tag);
    }
  });

  it("rejects a minor without a known image, unless an image is configured", () => {
    const future = { ...EKS, version: "1.39" };
    refuses(onEks({ enabled: true }, future), /^cluster\.version: found "1\.39"; expected one of .*image\.tag/);
    assert.equal(settingsOf(onEks({ image: { tag: "v1.39.3" } }, future)).image.tag, "v1.39.3");
    refuses(onEks({ image: { tag: "v1.34.1" } }), /image\.tag: found "v1\.34\.1"; expected a tag of 1\.35/);
  });

  it("must name the EKS cluster if that exists already, and only then", () => {
    refuses(onExisting({ enabled: true }), /^cluster\.eks: found nothing; expected name, region/);
    assert.deepEqual(settingsOf(onExisting({ cluster: THERE })).cluster, { name: "acme", region: "eu-central-1" });
    refuses(onEks({ cluster: THERE }), /^clusterAutoscaler\.cluster: .*nothing, because/);
    const { cluster, ...without } = { ...GOOD, clusterAutoscaler: { enabled: true } };
    assert.ok(cluster && linesOf(without).some((line) => /^cluster: found nothing; .*the autoscaler/.test(line)));
  });

  it("takes the EKS cluster and its minor from the existing cluster of the platform", () => {
    const eks = { name: "old", region: "eu-central-1", version: "1.34" };
    const there = (more: object) => ({
      ...onEks({ enabled: true }),
      cluster: { ...GOOD.cluster, eks: { ...eks, ...more } },
    });
    const { cluster, image } = settingsOf(there({}));
    assert.deepEqual([cluster, image.tag], [{ name: "old", region: "eu-central-1" }, TAGS["1.34"]]);
    refuses(there({ version: undefined }), /^cluster\.eks\.version: found nothing; expected its Kubernetes minor/);
  });

  it("rejects patterns of priorities that Go cannot parse", () => {
    const refused = (pattern: string) =>
      refuses(
        onEks({ expander: ["priority"], priorities: { 10: [pattern] } }),
        /priorities\.10\[0\]: found .*expected a regular expression/,
      );
    for (const pattern of ["(", "a(?=b)", "[z-a]"]) refused(pattern);
  });

  it("requires priorities only if they are used, and durations in the format of the autoscaler", () => {
    refuses(onEks({ expander: ["priority"] }), /priorities: found nothing; expected pools by priority/);
    refuses(onEks({ priorities: { 10: [".*"] } }), /priorities: found an object; expected nothing/);
    refuses(onEks({ scanInterval: "10 s" }), /scanInterval: found "10 s"; expected a duration/);
    refuses(onEks({ scaledown: {} }), /an unknown key; .*did you mean scaleDown/);
  });

  it("reserves its role and service account, so that data access cannot use them", () => {
    const access = (name: string, namespace: string) =>
      onEks({ enabled: true }, EKS, {
        dataAccess: { [name]: { serviceAccounts: { [namespace]: ["cluster-autoscaler"] } } },
      });
    refuses(access("mine", "kube-system"), /^dataAccess\.mine: .*that is the platform's own/);
    refuses(access("cluster-autoscaler", "ray"), /^dataAccess\.cluster-autoscaler: .*that is the platform's own/);
    assert.deepEqual(linesOf(access("mine", "ray")), []);
  });

  it("requires its chart if it is enabled, and lists the consequences if it is disabled", () => {
    const chart = { component: "clusterAutoscaler", token: "ClusterAutoscaler", chart: "cluster-autoscaler" };
    assert.deepEqual(decode(onEks({ optional: true })).charts.wanted, [{ ...chart, optional: true }]);
    const off = decode(onEks({ enabled: false }));
    assert.deepEqual([off.charts.wanted, off.clusterAutoscaler], [[], undefined]);
    assert.match(off.disabled[0]?.consequences ?? "", /no node is added/);
  });
});

describe("the component ClusterAutoscaler", function () {
  this.timeout(20_000);

  async function graph(values: Record<string, unknown>): Promise<Recorder> {
    const config: PlatformConfig = decode(values);
    const recorder = mock(outputsOf, (call) => answerOf(call));
    const charts = { archives: { "cluster-autoscaler": "./charts/cluster-autoscaler.tgz" } };
    const { guarded } = await createFeatures([eks, clusterAutoscaler], config, charts, readOwnState());
    assert.ok(guarded.some((one) => one instanceof ClusterAutoscaler));
    await settled(recorder);
    return recorder;
  }
  const outputsOf = ({ type, name, inputs }: Registered): Record<string, unknown> => ({
    arn: type === "aws:eks/cluster:Cluster" ? "arn:aws:eks:eu-central-1:123456789012:cluster/acme" : `arn:${name}`,
    endpoint: "https://x.eks.amazonaws.com",
    certificateAuthority: { data: "Q0E=" },
    identities: [{ oidcs: [{ issuer: "https://oidc.example.com/id/0" }] }],
    url: inputs["url"] ?? "https://oidc.example.com/id/0",
    resources: [{ autoscalingGroups: [{ name: `asg-${name}` }] }],
    latestVersion: 1,
  });
  const release = (all: Recorder): Record<string, unknown> => all.only("kubernetes:helm.sh/v3:Release").inputs;
  const annotationsOf = (all: Recorder): unknown =>
    (release(all)["values"] as { rbac: { serviceAccount: { annotations: unknown } } }).rbac.serviceAccount.annotations;
  const named = ({ resources }: Recorder, name: string): Registered =>
    resources.find((one) => one.name === name) ?? assert.fail(`no ${name}`);

  it("installs the verified chart with a role that only its service account can assume", async () => {
    const all = await graph(onEks({ values: { extraArgs: { v: 1 } } }));
    const { name, namespace, chart, atomic, cleanupOnFail, values } = release(all);
    assert.deepEqual(
      { name, namespace, chart, atomic, cleanupOnFail },
      {
        name: "cluster-autoscaler",
        namespace: "kube-system",
        chart: "./charts/cluster-autoscaler.tgz",
        atomic: true,
        cleanupOnFail: true,
      },
    );
    const { extraArgs } = values as { extraArgs: Record<string, unknown> };
    assert.deepEqual([extraArgs["v"], extraArgs["expander"]], [1, "least-waste"]);
    const role = named(all, "cluster-autoscaler-role-role");
    assert.equal(role.inputs["name"], "acme-cluster-autoscaler");
    assert.match(String(role.inputs["assumeRolePolicy"]), /system:serviceaccount:kube-system:cluster-autoscaler"/);
    assert.match(role.provider ?? "", /::cluster-eks-aws::/);
    const arn = "arn:cluster-autoscaler-role-role";
    assert.equal((annotationsOf(all) as Record<string, unknown>)["eks.amazonaws.com/role-arn"], arn);
  });

  it("creates an association instead of the annotation with Pod Identity", async () => {
    const all = await graph(onEks({ enabled: true }, { ...EKS, identity: "podIdentity" }));
    named(all, "cluster-autoscaler-role-association/kube-system/cluster-autoscaler");
    assert.deepEqual(annotationsOf(all), {});
  });

  it("creates a role for an existing EKS cluster", async () => {
    const eks = { name: "old", region: "eu-central-1", version: "1.34" };
    const all = await graph({ ...onEks({ enabled: true }), cluster: { ...GOOD.cluster, eks } });
    assert.equal(named(all, "cluster-autoscaler-role-role").inputs["name"], "old-cluster-autoscaler");
    assert.match(
      String(named(all, "cluster-autoscaler-role-data").inputs["policy"]),
      /cluster-autoscaler\/old":"owned"/,
    );
  });

  it("creates nothing on AWS for an existing cluster with a configured role", async () => {
    const roleArn = "arn:aws:iam::123456789012:role/own";
    const all = await graph(onExisting({ cluster: { ...THERE, roleArn } }));
    assert.deepEqual(
      all.resources.filter(({ type }) => type.startsWith("aws:")),
      [],
    );
    assert.equal((annotationsOf(all) as Record<string, unknown>)["eks.amazonaws.com/role-arn"], roleArn);
  });
});
