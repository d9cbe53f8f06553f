import assert from "node:assert/strict";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { seedOverlaps } from "../../../kubernetes/gardener/seedNetworks";
import { profileFaults, capacityOf } from "../../../kubernetes/gardener/cloudProfile";
import { desiredOf } from "../../../kubernetes/gardener/desired";
import { changesOfSet, fixedChanges } from "../../../kubernetes/gardener/immutable";
import { judgeShoot } from "../../../kubernetes/gardener/judge";
import { shootOf } from "../../../components/runtime/types/gardener/shoot/shoot";
import type { ClusterRequest } from "../../../components/runtime/request/cluster/shape";
import { AWS, GCP } from "./clusters";

interface Status {
  readonly domain?: string;
  readonly generation?: number;
  readonly observed?: number;
  readonly operation?: readonly [type: string, state: string];
  readonly codes?: readonly string[];
  readonly conditions?: readonly object[];
  readonly wanted?: boolean;
  readonly hibernated?: boolean;
  readonly metadata?: object;
}

function shoot(status: Status): KubeObject {
  const { domain = "acme.example.com", generation = 1, observed = generation, codes } = status;
  const [type, state] = status.operation ?? [];
  return {
    apiVersion: "core.gardener.cloud/v1beta1",
    kind: "Shoot",
    metadata: { name: "acme", generation, ...status.metadata },
    spec: { dns: { domain }, hibernation: { enabled: status.wanted ?? false } },
    status: {
      observedGeneration: observed,
      hibernated: status.hibernated ?? false,
      ...(type && { lastOperation: { type, state, progress: 40, description: "Working" } }),
      ...(codes && { lastErrors: [{ description: "It went wrong", codes }] }),
      conditions: status.conditions ?? [],
    },
  };
}

const short = (status: Status | undefined, goal: Parameters<typeof judgeShoot>[1]): string => {
  const { stage, state } = judgeShoot(status && shoot(status), goal);
  return `${stage}: ${state}`;
};

describe("a Shoot that is being created", () => {
  for (const [what, status, verdict] of [
    ["has no domain yet", { domain: "" }, "WaitingForClusterDomain: waiting"],
    ["has no operation yet", {}, "WaitingForClusterCreation: waiting"],
    ["is being processed", { operation: ["Create", "Processing"] }, "WaitingForClusterCreation: waiting"],
    [
      "is retried by Gardener",
      { operation: ["Create", "Error"], codes: ["ERR_INFRA_RESOURCES_DEPLETED"] },
      "WaitingForClusterCreation: waiting",
    ],
    ["is there", { operation: ["Create", "Succeeded"] }, "WaitingForClusterCreation: done"],
    [
      "failed because of missing permissions",
      { operation: ["Create", "Failed"], codes: ["ERR_INFRA_UNAUTHORIZED"] },
      "WaitingForClusterCreation: failed",
    ],
    [
      "failed without an error code",
      { operation: ["Create", "Failed"], codes: [] },
      "WaitingForClusterCreation: failed",
    ],
    [
      "failed because of the cloud's rate limit",
      { operation: ["Create", "Failed"], codes: ["ERR_INFRA_RATE_LIMITS_EXCEEDED"] },
      "WaitingForClusterCreation: retry",
    ],
    [
      "failed in a later reconciliation",
      { operation: ["Reconcile", "Failed"], codes: ["ERR_INFRA_UNAUTHORIZED"] },
      "WaitingForClusterCreation: retry",
    ],
    [
      "is being deleted",
      { operation: ["Create", "Succeeded"], metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } },
      "WaitingForClusterCreation: failed",
    ],
  ] as const satisfies readonly (readonly [string, Status, string])[]) {
    it(`${what}: ${verdict}`, () => {
      assert.equal(short(status, "created"), verdict);
    });
  }

  it("is not ready until its API server is available", () => {
    const conditions = [{ type: "APIServerAvailable", status: "False", message: "no answer" }];
    const verdict = judgeShoot(shoot({ operation: ["Create", "Succeeded"], conditions }), "created");
    assert.deepEqual([verdict.state, verdict.progress], ["waiting", "its API server is not available: no answer"]);
  });

  it("reports error codes, progress and advice", () => {
    const { progress, codes, advice } = judgeShoot(
      shoot({ operation: ["Create", "Failed"], codes: ["ERR_INFRA_QUOTA_EXCEEDED"] }),
      "created",
    );
    assert.equal(progress, "Create Failed, 40 %: It went wrong");
    assert.deepEqual(codes, ["ERR_INFRA_QUOTA_EXCEEDED"]);
    assert.match(advice, /^a quota of the cloud's account is used up/);
  });
});

describe("a Shoot that is being changed", () => {
  it("ignores the status from before Gardener observed the change", () => {
    const failed = { operation: ["Reconcile", "Failed"], codes: ["ERR_CONFIGURATION_PROBLEM"] } as const;
    assert.equal(short({ ...failed, generation: 2, observed: 1 }, "changed"), "WaitingForShootNewVersion: waiting");
    assert.equal(short({ ...failed, generation: 2 }, "changed"), "WaitingForShootUpgrade: failed");
    const asked = { metadata: { annotations: { "gardener.cloud/operation": "retry" } } };
    assert.equal(short({ ...failed, ...asked }, "changed"), "WaitingForShootNewVersion: waiting");
  });

  it("hibernates and wakes", () => {
    const done = { operation: ["Reconcile", "Succeeded"] } as const;
    assert.equal(short({ ...done, wanted: true }, "changed"), "WaitForHibernation: waiting");
    assert.equal(short({ ...done, wanted: true, hibernated: true }, "changed"), "WaitingForShootUpgrade: done");
    assert.equal(short({ ...done, hibernated: true }, "changed"), "WaitForHibernation: waiting");
    assert.equal(short(done, "changed"), "WaitingForShootUpgrade: done");
  });

  it("fails if it was deleted", () => {
    assert.equal(short(undefined, "changed"), "WaitingForShootNewVersion: failed");
  });
});

describe("a Shoot that is being deleted", () => {
  const leaving = { metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } };

  it("is done when it is gone", () => {
    assert.equal(short({}, "deleted"), "DeprovisionCluster: waiting");
    assert.equal(
      short({ ...leaving, operation: ["Delete", "Processing"] }, "deleted"),
      "WaitForClusterDeletion: waiting",
    );
    assert.equal(short(undefined, "deleted"), "WaitForClusterDeletion: done");
  });

  it("fails with advice to force the deletion if Gardener allows that", () => {
    const failed = (code: string) =>
      judgeShoot(shoot({ ...leaving, operation: ["Delete", "Failed"], codes: [code] }), "deleted");
    assert.equal(failed("ERR_INFRA_DEPENDENCIES").state, "failed");
    assert.match(failed("ERR_INFRA_DEPENDENCIES").advice, /can be forced/);
    assert.doesNotMatch(failed("ERR_INFRA_QUOTA_EXCEEDED").advice, /can be forced/);
    assert.equal(failed("ERR_INFRA_RATE_LIMITS_EXCEEDED").state, "retry");
  });
});

const made = (cluster: ClusterRequest): KubeObject =>
  shootOf(cluster, {
    name: "acme",
    namespace: "garden-dev",
    binding: { kind: "SecretBinding", name: "gcp" },
    runtimeId: "acme",
    hibernated: false,
  }) as KubeObject;

describe("the immutable fields of a Shoot", () => {
  it("are reported with the requested value and the cluster's value", () => {
    assert.deepEqual(fixedChanges(made(GCP), made({ ...GCP, region: "us-east1", podsCidr: "10.64.0.0/12" })), [
      'spec.region: found "us-east1", and the cluster has "europe-west3"',
      'spec.networking.pods: found "10.64.0.0/12", and the cluster has "10.96.0.0/13"',
    ]);
  });

  it("exclude the number and type of nodes, the version and the purpose", () => {
    const next = {
      ...GCP,
      autoScalerMax: 9,
      machineType: "n2-standard-8",
      kubernetesVersion: "1.34.1",
      purpose: "testing",
    } as const;
    assert.deepEqual(fixedChanges(made(GCP), made(next)), []);
  });

  it("include high availability once it is set", () => {
    const zone = { ...GCP, controlPlaneFailureTolerance: "zone" } as const;
    assert.deepEqual(fixedChanges(made(GCP), made(zone)), []);
    assert.equal(fixedChanges(made(zone), made(GCP)).length, 1);
  });

  it("can't get a second family of addresses, which Gardener has set to the first one, or lose it", () => {
    const [one, both] = [made(GCP), made({ ...GCP, dualStack: true })];
    const spec = one["spec"] as { readonly networking: object };
    const live = { ...one, spec: { ...spec, networking: { ...spec.networking, ipFamilies: ["IPv4"] } } };
    assert.deepEqual(changesOfSet(live, both), [
      'spec.networking.ipFamilies: found ["IPv4","IPv6"], and the cluster has ["IPv4"]',
    ]);
    assert.deepEqual(changesOfSet(live, one), []);
    assert.deepEqual(fixedChanges(both, one), [
      'spec.networking.ipFamilies: found nothing, and the cluster has ["IPv4","IPv6"]',
    ]);
  });

  it("is high availability in hibernation, the type of the primary DNS provider, and what Gardener has set", () => {
    const asleep = (cluster: ClusterRequest): KubeObject => {
      const shoot = made(cluster);
      return { ...shoot, spec: { ...(shoot["spec"] as object), hibernation: { enabled: true } } };
    };
    const zone = { ...GCP, controlPlaneFailureTolerance: "zone" } as const;
    assert.match(
      fixedChanges(asleep(GCP), asleep(zone)).join(),
      /failureTolerance\.type: found "zone".* is hibernated/,
    );
    const withDns = (...types: string[]) => {
      const providers = types.map((type) => ({ primary: true, secretName: "dns", type }));
      return made({ ...GCP, dnsConfig: { domain: "acme.example.com", providers } });
    };
    assert.deepEqual(fixedChanges(withDns("aws-route53"), withDns("azure-dns")), [
      'spec.dns.providers: found "azure-dns", and the cluster has "aws-route53"',
    ]);
    assert.equal(fixedChanges(withDns("aws-route53"), withDns()).length, 1);
    assert.deepEqual(fixedChanges(withDns(), withDns("azure-dns")), []);
    assert.deepEqual(changesOfSet(withDns(), made(GCP)), []);
    assert.equal(changesOfSet(withDns(), made({ ...GCP, dnsConfig: { domain: "b.example.com" } })).length, 1);
  });

  it("is the order of zones, while the last one may come", () => {
    const withZones = (...zones: string[]) => made({ ...GCP, providerSpecificConfig: { gcpConfig: { zones } } });
    assert.deepEqual(fixedChanges(withZones("a"), withZones("a", "b")), []);
    assert.deepEqual(fixedChanges(withZones("a", "b"), withZones("a")), [
      'spec.provider.workers[cpu-worker-0].zones: found ["a"], and the cluster has ["a","b"]',
    ]);
    assert.equal(fixedChanges(withZones("a"), withZones("b", "a")).length, 2);
  });

  it("include existing zones and their subnets, but allow new zones", () => {
    const { awsZones = [], vpcCidr } = AWS.providerSpecificConfig!.awsConfig!;
    const withZones = (zones: typeof awsZones) =>
      made({ ...AWS, providerSpecificConfig: { awsConfig: { vpcCidr, awsZones: zones } } });
    const more = {
      name: "b",
      workerCidr: "10.250.64.0/19",
      publicCidr: "10.250.96.0/20",
      internalCidr: "10.250.112.0/20",
    };
    assert.deepEqual(fixedChanges(withZones(awsZones), withZones([...awsZones, more])), []);
    assert.deepEqual(
      fixedChanges(withZones(awsZones), withZones([{ ...awsZones[0]!, publicCidr: "10.250.128.0/20" }])),
      [
        'spec.provider.infrastructureConfig.networks.zones[eu-central-1a].public: found "10.250.128.0/20", and the cluster has "10.250.32.0/20"',
      ],
    );
    assert.equal(fixedChanges(withZones([...awsZones, more]), withZones(awsZones)).length, 2);
  });
});

describe("an update of an existing Shoot", () => {
  it("never downgrades Kubernetes, and keeps the patch version if only a minor version is requested", () => {
    const live = made({ ...GCP, kubernetesVersion: "1.33.10" });
    const versionOf = (kubernetesVersion: string) => {
      const { shoot: desired, notes } = desiredOf(made({ ...GCP, kubernetesVersion }), live);
      return [(desired["spec"] as { kubernetes: { version: string } }).kubernetes.version, notes.length];
    };
    assert.deepEqual(versionOf("1.33.4"), ["1.33.10", 1]);
    assert.deepEqual(versionOf("1.33"), ["1.33.10", 0]);
    assert.deepEqual(versionOf("1.34.1"), ["1.34.1", 0]);
  });

  it("keeps the image that Gardener chose until another image is requested", () => {
    const live = made({ ...GCP, machineImage: "gardenlinux", machineImageVersion: "1877.4.0" });
    const imageOf = (cluster: ClusterRequest) =>
      (desiredOf(made(cluster), live).shoot["spec"] as { provider: { workers: { machine: { image?: object } }[] } })
        .provider.workers[0]!.machine.image;
    assert.deepEqual(imageOf(GCP), { name: "gardenlinux", version: "1877.4.0" });
    assert.deepEqual(imageOf({ ...GCP, machineImage: "gardenlinux" }), { name: "gardenlinux", version: "1877.4.0" });
    assert.deepEqual(imageOf({ ...GCP, machineImage: "ubuntu" }), { name: "ubuntu" });
  });
});

describe("a CloudProfile", () => {
  const profile: KubeObject = {
    apiVersion: "core.gardener.cloud/v1beta1",
    kind: "CloudProfile",
    metadata: { name: "gcp" },
    spec: {
      kubernetes: { versions: [{ version: "1.33.4" }, { version: "1.20.8", expirationDate: "2022-01-01T00:00:00Z" }] },
      machineTypes: [{ name: "n2-standard-4", cpu: "4", memory: "16Gi" }],
      volumeTypes: [{ name: "pd-standard" }],
      regions: [{ name: "europe-west3", zones: [{ name: "europe-west3-a" }, { name: "europe-west3-b" }] }],
    },
  };

  it("accepts a cluster that it supports", () => {
    assert.deepEqual(profileFaults(profile, made(GCP)), []);
    assert.deepEqual(profileFaults(profile, made({ ...GCP, kubernetesVersion: "1.33" })), []);
  });

  it("reports every version, machine type, disk type and zone that it lacks", () => {
    const wrong = {
      ...GCP,
      kubernetesVersion: "1.20.8",
      machineType: "n2-standard-5",
      diskType: "fast",
      providerSpecificConfig: { gcpConfig: { zones: ["europe-west3-z"] } },
    };
    assert.deepEqual(profileFaults(profile, made(wrong)), [
      'spec.kubernetes.version: found "1.20.8"; expected one of 1.33.4',
      'spec.provider.workers[cpu-worker-0].machine.type: found "n2-standard-5"; expected one of n2-standard-4; did you mean n2-standard-4?',
      'spec.provider.workers[cpu-worker-0].volume.type: found "fast"; expected one of pd-standard',
      'spec.provider.workers[cpu-worker-0].zones: found "europe-west3-z"; expected one of europe-west3-a, europe-west3-b; did you mean europe-west3-a?',
    ]);
  });

  it("is checked for networks that overlap with those of the Seed", () => {
    const networks = { nodes: "10.250.0.0/20", pods: "100.64.0.0/12", services: "100.112.0.0/13" };
    const seed = {
      apiVersion: "core.gardener.cloud/v1beta1",
      kind: "Seed",
      metadata: { name: "eu1" },
      spec: { networks },
    };
    assert.deepEqual(seedOverlaps(seed, made({ ...GCP, workerCidr: "10.250.0.0/19" })), [
      "spec.networking.nodes: found 10.250.0.0/19, which overlaps with 10.250.0.0/20, the nodes of Seed eu1; Gardener may refuse that",
    ]);
    assert.deepEqual(seedOverlaps({ ...seed, spec: {} }, made(GCP)), []);
  });

  it("provides the CPU and memory of the minimum number of nodes", () => {
    assert.deepEqual(capacityOf(profile, made(GCP)), { cpu: 8, memoryGb: 34.36 });
    assert.equal(capacityOf(profile, made({ ...GCP, machineType: "other" })), undefined);
  });
});
