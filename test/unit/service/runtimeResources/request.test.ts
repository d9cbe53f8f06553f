import assert from "node:assert/strict";
import { missingIn } from "../../../../components/runtime/request/cluster/complete";
import { shootOf } from "../../../../components/runtime/types/gardener/shoot/shoot";
import { fieldFaults } from "../../../../engine/runtime/request/request";
import { renderPath } from "../../../../foundation/schema/faults";
import { at, type KubeObject } from "../../../../kubernetes/objects/objects";
import { inRuntime } from "../../../../service/runtimeResources/request/cluster";
import { wantedOf, type Wanted } from "../../../../service/runtimeResources/request/wanted";
import { OIDC, PLANS, pool, runtimeOf } from "./runtimes";

function wanted(runtime: KubeObject, defaults?: Parameters<typeof wantedOf>[1]): Wanted {
  const read = wantedOf(runtime, defaults);
  if ("wanted" in read) return read.wanted;
  throw new Error(read.faults.join("\n"));
}

function faultsOf(runtime: KubeObject): readonly string[] {
  const read = wantedOf(runtime);
  return "faults" in read ? read.faults : [];
}

const plans = Object.keys(PLANS) as (keyof typeof PLANS)[];

/** Faults that the deployment's own schema finds in what is requested. */
const schemaFaults = (cluster: object): string[] => [
  ...fieldFaults({ cluster }).map(({ path, message }) => `${renderPath(path)}: ${message}`),
  ...missingIn(cluster).map(
    ({ path, expected }) => `${renderPath(["cluster", ...path])}: found nothing; expected ${expected}`,
  ),
];

const shootIn = (cluster: object) =>
  shootOf(cluster, {
    ...{ name: "c-1", namespace: "garden-rill", runtimeId: "id", hibernated: false },
    binding: { kind: "SecretBinding", name: "account" },
  });

describe("the deployment that a Runtime asks for", () => {
  for (const plan of plans) {
    it(`is complete and without faults for plan ${plan} of the Kyma Environment Broker`, () => {
      const { id, tenant, cluster } = wanted(runtimeOf(plan));
      assert.deepEqual([id, tenant], ["0d7c1f5e-runtime", "red"]);
      assert.deepEqual(schemaFaults(cluster), []);
      const shoot = shootIn(cluster);
      assert.equal(at(shoot, "spec", "region"), PLANS[plan].region);
      assert.deepEqual(at(shoot, "spec", "provider", "workers", 0, "zones"), PLANS[plan].zones);
    });
  }

  it("has every field of the spec, in the terms of the runtime API", () => {
    const runtime = runtimeOf("gcp");
    runtime.spec.shoot.provider.additionalWorkers = [
      pool("gcp", "gpu", {
        machine: { type: "n2-standard-8", image: { name: "gardenlinux", version: "1877.4.0" } },
        labels: { gpu: "yes" },
        taints: [{ key: "gpu", value: "yes", effect: "NoSchedule" }],
      }),
    ];
    const spec = { ...runtime.spec, shoot: { ...runtime.spec.shoot, enforceSeedLocation: true, licenceType: "Test" } };
    const { cluster } = wanted({ ...runtime, spec });
    const disk = { diskType: "pd-standard", volumeSizeGB: 80 };
    assert.deepEqual(cluster, {
      ...{ name: "c-1a2b3c4", purpose: "production", region: "europe-west3", licenceType: "Test" },
      ...{ targetSecret: "account", kubernetesVersion: "1.33", provider: "gcp", machineType: "n2-standard-4", ...disk },
      ...{ autoScalerMin: 3, autoScalerMax: 20, maxSurge: 3, maxUnavailable: 0 },
      ...{ workerCidr: "10.250.0.0/16", podsCidr: "10.96.0.0/13", servicesCidr: "10.104.0.0/13" },
      providerSpecificConfig: { gcpConfig: { zones: ["europe-west3-a", "europe-west3-b", "europe-west3-c"] } },
      workerPools: [
        {
          ...{ name: "gpu", machineType: "n2-standard-8", machineImage: "gardenlinux" },
          ...{ machineImageVersion: "1877.4.0", ...disk },
          ...{ autoScalerMin: 0, autoScalerMax: 2, maxSurge: 1, maxUnavailable: 0, zones: ["europe-west3-a"] },
          ...{ labels: { gpu: "yes" }, taints: [{ key: "gpu", value: "yes", effect: "NoSchedule" }] },
        },
      ],
      oidcConfig: {
        ...{ clientID: "9bd05ed7", groupsClaim: "groups", issuerURL: "https://tenant.accounts.example.com" },
        ...{ signingAlgs: ["RS256"], usernameClaim: "sub", usernamePrefix: "-" },
      },
      ...{ controlPlaneFailureTolerance: "zone", shootAndSeedSameRegion: true, shootNetworkingFilterDisabled: false },
      ...{ administrators: ["ann@example.com"], tenant: "red", subAccount: "sub-1" },
    });
  });

  it("gives each zone on AWS and Azure a part of the nodes' range, the fourth and later ones on AWS smaller parts", () => {
    const runtime = runtimeOf("aws");
    const [worker] = runtime.spec.shoot.provider.workers;
    worker!.zones = ["a", "b", "c", "d", "e"];
    const zones = at(wanted(runtime).cluster, "providerSpecificConfig", "awsConfig", "awsZones");
    const zone = (name: string, workerCidr: string, publicCidr: string, internalCidr: string) => ({
      ...{ name, workerCidr, publicCidr, internalCidr },
    });
    assert.deepEqual(zones, [
      zone("a", "10.250.0.0/19", "10.250.32.0/20", "10.250.48.0/20"),
      zone("b", "10.250.64.0/19", "10.250.96.0/20", "10.250.112.0/20"),
      zone("c", "10.250.128.0/19", "10.250.160.0/20", "10.250.176.0/20"),
      zone("d", "10.250.192.0/22", "10.250.196.0/22", "10.250.200.0/22"),
      zone("e", "10.250.204.0/22", "10.250.208.0/22", "10.250.212.0/22"),
    ]);
    assert.deepEqual(at(wanted(runtimeOf("azure")).cluster, "providerSpecificConfig", "azureConfig", "azureZones"), [
      { name: 2, cidr: "10.250.0.0/19" },
      { name: 1, cidr: "10.250.32.0/19" },
      { name: 3, cidr: "10.250.64.0/19" },
    ]);
  });

  it("restricts access to the EU on the platforms of the EU, and takes the settings of the environment", () => {
    assert.equal(wanted(runtimeOf("aws")).cluster["euAccess"], true);
    assert.equal(wanted(runtimeOf("azure")).cluster["euAccess"], undefined);
    const { cluster } = wanted(runtimeOf("aws"), {
      cluster: { enableKubernetesVersionAutoUpdate: true },
      awsConfig: { enableIMDSv2: true },
    });
    assert.equal(cluster["enableKubernetesVersionAutoUpdate"], true);
    assert.equal(at(cluster, "providerSpecificConfig", "awsConfig", "enableIMDSv2"), true);
  });

  it("filters incoming traffic if the Runtime filters both directions, and is refused if only that", () => {
    const runtime = runtimeOf("gcp");
    const { filter } = runtime.spec.security.networking;
    filter.ingress.enabled = true;
    const { cluster } = wanted(runtime);
    assert.equal(cluster["shootNetworkingFilterBlackholing"], true);
    assert.deepEqual(schemaFaults(cluster), []);
    filter.egress.enabled = false;
    assert.deepEqual(schemaFaults(wanted(runtime).cluster).map(inRuntime), [
      "spec.security.networking.filter.ingress.enabled (cluster.shootNetworkingFilterBlackholing): found true; expected false, or shootNetworkingFilterDisabled: false: there is no filter",
    ]);
  });

  it("has several OIDC providers, both families of addresses and an access list, on clouds that have them", () => {
    const other = { ...OIDC, issuerURL: "https://other.example.com" };
    const withAll = (plan: keyof typeof PLANS) => {
      const runtime = runtimeOf(plan);
      const { kubernetes, networking } = runtime.spec.shoot;
      kubernetes.kubeAPIServer.additionalOidcConfig = [OIDC, other];
      Object.assign(kubernetes.kubeAPIServer, { acl: { allowedCIDRs: ["203.0.113.0/24"] } });
      Object.assign(networking, { dualStack: true });
      return wanted(runtime).cluster;
    };
    const cluster = withAll("aws");
    assert.deepEqual(schemaFaults(cluster), []);
    assert.deepEqual(
      [at(cluster, "oidcConfig", "issuerURL"), at(cluster, "additionalOidcConfig", 0, "issuerURL")],
      [OIDC.issuerURL, other.issuerURL],
    );
    assert.deepEqual([cluster["dualStack"], cluster["allowedCidrs"]], [true, ["203.0.113.0/24"]]);
    const places = (plan: keyof typeof PLANS) =>
      schemaFaults(withAll(plan)).map((fault) => inRuntime(fault).split(":")[0]);
    assert.deepEqual(places("azure"), ["spec.shoot.networking.dualStack (cluster.dualStack)"]);
    assert.deepEqual(places("gcp"), ["spec.shoot.kubernetes.kubeAPIServer.acl.allowedCIDRs (cluster.allowedCidrs)"]);
  });

  it("ignores administrators without a name and the group prefix that stands for none", () => {
    const runtime = runtimeOf("gcp");
    runtime.spec.security.administrators = [""];
    runtime.spec.shoot.kubernetes.kubeAPIServer.additionalOidcConfig = [{ ...OIDC, groupsPrefix: "acme:" }];
    const { cluster } = wanted(runtime);
    assert.deepEqual([cluster["administrators"], at(cluster, "oidcConfig", "groupsPrefix")], [[], "acme:"]);
  });
});

describe("a Runtime that can't be served", () => {
  const NOT_SERVED = "expected nothing, because the service does not serve this field";
  const shootWith = (change: (shoot: ReturnType<typeof runtimeOf>["spec"]["shoot"]) => object) => {
    const runtime = runtimeOf("aws");
    const { shoot, ...spec } = runtime.spec;
    return { ...runtime, spec: { ...spec, shoot: { ...shoot, ...change(shoot) } } };
  };
  const inSpec = (more: object) => ({ ...runtimeOf("aws"), spec: { ...runtimeOf("aws").spec, ...more } });
  const inWorker = (more: object) =>
    shootWith(({ provider }) => ({ provider: { ...provider, workers: [{ ...provider.workers[0], ...more }] } }));
  const apiServer = (more: object) =>
    shootWith(({ kubernetes }) => ({
      kubernetes: { ...kubernetes, kubeAPIServer: { ...kubernetes.kubeAPIServer, ...more } },
    }));

  for (const [what, runtime, fault] of [
    [
      "access to audit logs",
      inSpec({ auditLogAccessEnabled: true }),
      `spec.auditLogAccessEnabled: found true; ${NOT_SERVED}`,
    ],
    [
      "keys of an OIDC provider",
      apiServer({ additionalOidcConfig: [{ ...OIDC, jwks: "e30=" }] }),
      `spec.shoot.kubernetes.kubeAPIServer.additionalOidcConfig[0].jwks: found "e30="; ${NOT_SERVED}`,
    ],
    [
      "gVisor",
      inWorker({ cri: { name: "containerd", containerRuntimes: [{ type: "gvisor" }] } }),
      `spec.shoot.provider.workers[0].cri: found an object; ${NOT_SERVED}`,
    ],
    [
      "a number of pods for each node",
      inWorker({ kubernetes: { kubelet: { maxPods: 250 } } }),
      `spec.shoot.provider.workers[0].kubernetes: found an object; ${NOT_SERVED}`,
    ],
    [
      "another name of the first pool",
      inWorker({ name: "worker" }),
      'spec.shoot.provider.workers[0].name: found "worker"; expected cpu-worker-0, the name of the pool that every cluster has',
    ],
    [
      "a percentage of nodes",
      inWorker({ maxSurge: "25%" }),
      'spec.shoot.provider.workers[0].maxSurge: found "25%"; expected a whole number; the service does not serve percentages',
    ],
    [
      "a cloud that the service does not know",
      shootWith(({ provider }) => ({ provider: { ...provider, type: "alicloud" } })),
      'spec.shoot.provider.type: found "alicloud"; expected gcp or azure or aws or openstack',
    ],
    [
      "a range of nodes that is too small for zones",
      shootWith(({ networking }) => ({ networking: { ...networking, nodes: "10.250.0.0/25" } })),
      'spec.shoot.networking.nodes: found "10.250.0.0/25"; expected a range from /16 to /24, such as 10.250.0.0/16, because each zone gets a part of it',
    ],
    [
      "a cache of images",
      inSpec({ imageRegistryCache: [{ name: "cache" }] }),
      `spec.imageRegistryCache: found a list of 1; ${NOT_SERVED}`,
    ],
  ] as const) {
    it(`is refused with the path of ${what}`, () => assert.deepEqual(faultsOf(runtime), [fault]));
  }

  it("is refused without the labels of its id and its account, with all faults at once", () => {
    const { metadata, ...rest } = runtimeOf("gcp");
    const labels = { ...metadata.labels, "kyma-project.io/runtime-id": "UPPER" } as Record<string, string>;
    delete labels["kyma-project.io/global-account-id"];
    assert.deepEqual(faultsOf({ ...rest, metadata: { ...metadata, labels } }), [
      'metadata.labels["kyma-project.io/runtime-id"]: found "UPPER"; expected the id of the runtime, in lower case',
      'metadata.labels["kyma-project.io/global-account-id"]: found nothing; expected the id of the global account, which is the tenant',
    ]);
  });

  it("is refused by the deployment's schema with the paths of the Runtime", () => {
    const runtime = runtimeOf("gcp");
    const [worker] = runtime.spec.shoot.provider.workers;
    Object.assign(worker!, { minimum: 30 });
    runtime.spec.shoot.purpose = "infrastructure";
    runtime.spec.shoot.networking.pods = "10.250.0.0/13";
    runtime.spec.shoot.provider.additionalWorkers = [pool("gcp", "Wrong name")];
    const faults = schemaFaults(wanted(runtime).cluster).map((fault) => inRuntime(fault).split(":")[0]);
    assert.deepEqual(faults, [
      "spec.shoot.networking.pods (cluster.podsCidr)",
      "spec.shoot.purpose (cluster.purpose)",
      "spec.shoot.provider.additionalWorkers[0].name (cluster.workerPools[0].name)",
      "spec.shoot.provider.workers[0].minimum (cluster.autoScalerMin)",
    ]);
    assert.equal(inRuntime("platform: found nothing"), "platform: found nothing");
  });
});
