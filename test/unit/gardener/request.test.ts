import assert from "node:assert/strict";
import fc from "fast-check";
import { cidrText } from "../../../foundation/net/cidr";
import { ConfigError } from "../../../foundation/schema/faults";
import { configOf, differencesBetween } from "../../../engine/runtime/request/requests";
import { applyChange, missingFlags } from "../../../engine/stack/change";
import { decodeRuntimeConfig } from "../../../components/runtime/deployment";

const PLATFORM = "organization/stackyard/dev";

const GCP = {
  name: "acme",
  kubernetesVersion: "1.33.4",
  provider: "gcp",
  targetSecret: "gcp-account",
  region: "europe-west3",
  machineType: "n2-standard-4",
  diskType: "pd-standard",
  volumeSizeGB: 50,
  workerCidr: "10.250.0.0/22",
  podsCidr: "10.96.0.0/13",
  servicesCidr: "10.104.0.0/13",
  autoScalerMin: 2,
  autoScalerMax: 4,
  maxSurge: 1,
  maxUnavailable: 0,
  providerSpecificConfig: { gcpConfig: { zones: ["europe-west3-a", "europe-west3-b"] } },
};

const zone = (name: string, at: number) => ({
  name,
  workerCidr: `10.250.${at}.0/24`,
  publicCidr: `10.250.${at + 1}.0/24`,
  internalCidr: `10.250.${at + 2}.0/24`,
});
const AWS_CLUSTER = {
  provider: "aws",
  workerCidr: undefined,
  providerSpecificConfig: { awsConfig: { vpcCidr: "10.250.0.0/16", awsZones: [zone("a", 0), zone("b", 4)] } },
};
const OIDC = {
  ...{ clientID: "kyma", groupsClaim: "groups", issuerURL: "https://a.example.com", signingAlgs: ["RS256"] },
  ...{ usernameClaim: "sub", usernamePrefix: "-" },
};
const AZURE_ZONES = [{ name: 1, cidr: "10.250.0.0/24" }];
const azure = (block: object) => ({
  provider: "azure",
  workerCidr: undefined,
  providerSpecificConfig: { azureConfig: { vnetCidr: "10.250.0.0/16", ...block } },
});

const decode = (deployment: object) => decodeRuntimeConfig({ platform: PLATFORM, deployment }, "acme").deployment;

function faultsOf(deployment: object): string[] {
  try {
    decode(deployment);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message
      .split("\n")
      .slice(1)
      .map((line) => line.replace("  - stackyard-runtime:deployment.", ""));
  }
  return [];
}

const clusterFaults = (change: object, base: object = GCP): string[] =>
  faultsOf({ cluster: { ...base, ...change } }).map((line) => line.replace("cluster.", ""));

describe("a deployment with a cluster", () => {
  it("needs neither slots nor a version, and has its Kubernetes version", () => {
    assert.deepEqual(decode({ cluster: GCP }), {
      id: "acme",
      slots: 1,
      version: "1.33.4",
      environment: "prod",
      annotations: {},
      state: "running",
      cluster: GCP,
    });
  });

  it("has its Kyma version if it has Kyma", () => {
    assert.equal(decode({ cluster: GCP, kyma: { version: "2.20.0" } }).version, "2.20.0");
  });

  it("can leave every field to its provisioner", () => {
    assert.equal(decode({ cluster: {} }).version, "default");
  });

  it("rejects version and diskGb next to cluster", () => {
    assert.deepEqual(faultsOf({ cluster: GCP, version: "0.50.0", diskGb: 40 }), [
      'version: found "0.50.0"; expected nothing beside cluster, whose version is that of Kyma or Kubernetes: 1.33.4',
      "diskGb: found 40; expected nothing beside cluster",
    ]);
  });

  it("is required for kyma", () => {
    assert.deepEqual(faultsOf({ slots: 1, version: "1", kyma: { version: "2.20.0" } }), [
      "kyma: found an object; expected nothing without cluster",
    ]);
  });

  it("does not change the required fields of a deployment without a cluster", () => {
    assert.deepEqual(faultsOf({}), [
      "slots: found nothing; expected a whole number from 1",
      'version: found nothing; expected an image tag in quotes, such as "0.50.2"',
    ]);
  });
});

describe("the fields of a cluster", () => {
  it("are reported all at once with path, found and expected value, including conflicts", () => {
    assert.deepEqual(
      clusterFaults({
        name: "Acme",
        region: 4,
        autoScalerMin: 5,
        purpose: "",
        podsCidr: "10.96.0.1/13",
        zone: "a",
      }).map((line) => line.replace(/one of name.*$/, "…")),
      [
        'name: found "Acme"; expected a legal name: a-z, 0-9 and inner single -, beginning with a letter, 20 characters at most',
        "region: found 4; expected the name of a region",
        'podsCidr: found "10.96.0.1/13"; expected an IPv4 range such as 10.250.0.0/16, beginning at a multiple of its size',
        'purpose: found ""; expected evaluation or testing or development or production',
        "zone: found an unknown key; expected …",
        "autoScalerMin: found 5; expected at most autoScalerMax, which is 4",
      ],
    );
  });

  it("accept a provider in upper or lower case", () => {
    assert.deepEqual(clusterFaults({ provider: "GCP" }), []);
  });

  it("accept several OIDC providers, both families of addresses and an access list", () => {
    const additionalOidcConfig = [{ ...OIDC, issuerURL: "https://b.example.com" }];
    const change = { oidcConfig: OIDC, additionalOidcConfig, dualStack: true };
    assert.deepEqual(clusterFaults(change), []);
    const allowedCidrs = ["203.0.113.0/24", "2001:db8::/32"];
    assert.deepEqual(clusterFaults({ ...AWS_CLUSTER, ...change, allowedCidrs }), []);
  });

  for (const [what, change, fault] of [
    [
      "OIDC providers with one issuer",
      { oidcConfig: OIDC, additionalOidcConfig: [OIDC] },
      'additionalOidcConfig[0].issuerURL: found "https://a.example.com"; expected an issuer that no other provider has',
    ],
    [
      "several OIDC providers of a version that has one",
      { kubernetesVersion: "1.31.4", additionalOidcConfig: [OIDC] },
      "additionalOidcConfig: found a list of 1; expected nothing before Kubernetes 1.32, whose API servers have one provider",
    ],
    [
      "both families of addresses on a cloud without them",
      { ...azure({ zones: ["1"] }), workerCidr: "10.250.0.0/22", dualStack: true },
      "dualStack: found true; expected false with provider azure: Gardener has it on aws and gcp",
    ],
    [
      "an access list on GCP",
      { allowedCidrs: ["203.0.113.0/24"] },
      "allowedCidrs: found a list of 1; expected nothing with provider gcp, where the addresses of nodes change and would be refused",
    ],
    ...["203.0.113.0", "203.0.113.0/33", "2001:db8::/129", "1.2.3.4/8/8"].map(
      (range) =>
        [
          `the range ${range} of callers`,
          { ...AWS_CLUSTER, allowedCidrs: [range] },
          `allowedCidrs[0]: found "${range}"; expected an IPv4 or IPv6 range such as 203.0.113.0/24 or 2001:db8::/32`,
        ] as const,
    ),
    [
      "an image version without an image",
      { machineImageVersion: "24.3" },
      'machineImageVersion: found "24.3"; expected nothing without machineImage',
    ],
    [
      "settings that prevent the replacement of nodes",
      { maxSurge: 0 },
      "maxUnavailable: found 0; expected at least 1 where maxSurge is 0: no node could be replaced",
    ],
    [
      "a cluster without nodes",
      { autoScalerMin: 0, autoScalerMax: 0 },
      "autoScalerMax: found 0; expected at least 1: something has to run in the cluster",
    ],
    [
      "two pools of one name",
      { workerPools: [{ name: "cpu-worker-0" }] },
      'workerPools[0].name: found "cpu-worker-0"; expected a name that no other pool has',
    ],
    [
      "a hibernation schedule without start and end",
      { hibernationSchedules: [{ location: "Europe/Berlin" }] },
      "hibernationSchedules[0]: found an object; expected an object with start, end or both",
    ],
    [
      "configuration for another cloud provider",
      { provider: "aws" },
      "providerSpecificConfig.gcpConfig: found an object; expected only awsConfig, for provider aws",
    ],
  ] as const) {
    it(`reject ${what}`, () => {
      assert.equal(clusterFaults(change)[0], fault);
    });
  }

  it("reject a disk type on OpenStack, where a disk has only a size", () => {
    const openStackConfig = { zones: ["eu-de-1a"], loadBalancerProvider: "f5" };
    assert.deepEqual(clusterFaults({ provider: "OpenStack", providerSpecificConfig: { openStackConfig } }), [
      'diskType: found "pd-standard"; expected nothing with provider openstack',
    ]);
  });

  it("reject disks that no node can have", () => {
    assert.deepEqual(clusterFaults({ diskType: "SCRATCH" }), [
      'diskType: found "SCRATCH"; expected another type: no node can boot from a SCRATCH disk',
    ]);
    assert.deepEqual(clusterFaults({ ...AWS_CLUSTER, diskType: "io1" }), [
      'diskType: found "io1"; expected another type: io1 needs a number of IOPS, which can\'t be set',
    ]);
  });

  for (const [what, cluster, zones, expected] of [
    ["without subnets on AWS", AWS_CLUSTER, ["a", "c"], "zones of the cluster: a, b"],
    ["without subnets on Azure", azure({ azureZones: AZURE_ZONES }), ["2"], "zones of the cluster: 1"],
    ["of a cluster without zones on Azure", azure({}), ["1"], "nothing: the cluster has no zones"],
  ] as const) {
    it(`reject zones of a pool ${what}`, () => {
      const faults = clusterFaults({ ...cluster, workerPools: [{ name: "more", zones }] });
      assert.deepEqual(faults, [`workerPools[0].zones: found a list of ${zones.length}; expected ${expected}`]);
    });
  }

  it("reject a zone that is named twice, with its path", () => {
    const twice = {
      ...azure({ azureZones: [...AZURE_ZONES, { name: 1, cidr: "10.250.4.0/24" }] }),
      workerPools: [{ name: "more", zones: ["1", "1"] }],
    };
    assert.deepEqual(clusterFaults(twice), [
      "providerSpecificConfig.azureConfig.azureZones[1].name: found 1; expected a zone that is not named before",
      'workerPools[0].zones[1]: found "1"; expected a zone that is not named before',
    ]);
    assert.deepEqual(clusterFaults({ providerSpecificConfig: { gcpConfig: { zones: ["a", "b", "a"] } } }), [
      'providerSpecificConfig.gcpConfig.zones[2]: found "a"; expected a zone that is not named before',
    ]);
  });

  it("accept zones of a pool that the cluster has, or that need no subnet", () => {
    const more = (zones: readonly string[]) => ({ workerPools: [{ name: "more", zones }] });
    assert.deepEqual(clusterFaults({ ...AWS_CLUSTER, ...more(["b"]) }), []);
    assert.deepEqual(clusterFaults({ ...azure({ zones: ["1"] }), ...more(["2"]) }), []);
    assert.deepEqual(clusterFaults(more(["europe-west3-c"])), []);
  });

  it("reject zones next to azureZones, and an invalid idle timeout on Azure", () => {
    const azureConfig = {
      vnetCidr: "10.250.0.0/16",
      zones: ["1"],
      azureZones: [{ name: 1, cidr: "10.250.0.0/24" }],
      idleConnectionTimeoutMinutes: 2,
    };
    assert.deepEqual(clusterFaults({ provider: "azure", providerSpecificConfig: { azureConfig } }), [
      "providerSpecificConfig.azureConfig.zones: found a list of 1; expected nothing beside azureZones",
      "providerSpecificConfig.azureConfig.idleConnectionTimeoutMinutes: found 2; expected a whole number from 4 to 120",
    ]);
  });

  it("accept the single AWS zone of early clients", () => {
    const awsConfig = {
      vpcCidr: "10.250.0.0/16",
      zone: "eu-central-1a",
      publicCidr: "10.250.32.0/20",
      internalCidr: "10.250.48.0/20",
    };
    const aws = { provider: "aws", workerCidr: "10.250.0.0/19" };
    assert.deepEqual(clusterFaults({ ...aws, providerSpecificConfig: { awsConfig } }), []);
    assert.deepEqual(
      clusterFaults({ ...aws, providerSpecificConfig: { awsConfig: { ...awsConfig, internalCidr: undefined } } }),
      ["providerSpecificConfig.awsConfig.internalCidr: found nothing; expected a value, as there are no awsZones"],
    );
  });
});

describe("the networks of a cluster", () => {
  const awsZones = [
    { name: "a", workerCidr: "10.250.0.0/19", publicCidr: "10.250.32.0/20", internalCidr: "10.250.48.0/20" },
    { name: "b", workerCidr: "10.250.64.0/19", publicCidr: "10.250.96.0/20", internalCidr: "10.250.112.0/20" },
  ];
  const onAws = (vpcCidr: string, zones: object[]) =>
    clusterFaults({ provider: "aws", providerSpecificConfig: { awsConfig: { vpcCidr, awsZones: zones } } });

  it("must not overlap", () => {
    assert.deepEqual(clusterFaults({ podsCidr: "10.250.2.0/24", servicesCidr: "10.0.0.0/8" }), [
      'podsCidr: found "10.250.2.0/24"; expected a range that does not overlap 10.250.0.0/22 (workerCidr)',
      'servicesCidr: found "10.0.0.0/8"; expected a range that does not overlap 10.250.0.0/22 (workerCidr)',
    ]);
  });

  it("must have zone subnets inside the VPC, without overlaps", () => {
    assert.deepEqual(onAws("10.250.0.0/16", awsZones), []);
    assert.deepEqual(onAws("10.250.0.0/18", awsZones).length, 3);
    assert.deepEqual(onAws("10.250.0.0/16", [awsZones[0]!, { ...awsZones[1], workerCidr: "10.250.40.0/21" }]), [
      'providerSpecificConfig.awsConfig.awsZones[1].workerCidr: found "10.250.40.0/21"; expected a range that does not overlap 10.250.32.0/20 (providerSpecificConfig.awsConfig.awsZones[0].publicCidr)',
    ]);
  });

  it("must have the Azure nodes inside the virtual network", () => {
    const azure = { provider: "azure", providerSpecificConfig: { azureConfig: { vnetCidr: "10.251.0.0/16" } } };
    assert.deepEqual(clusterFaults(azure), [
      'workerCidr: found "10.250.0.0/22"; expected a range in 10.251.0.0/16 (providerSpecificConfig.azureConfig.vnetCidr)',
    ]);
  });

  it("are reported to overlap exactly if they share an address", () => {
    const range = fc
      .tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 16, max: 24 }))
      .map(([block, bits]) => ({ start: (10 * 2 ** 24 + block * 2 ** 16) >>> 0, bits }));
    fc.assert(
      fc.property(range, range, (nodes, pods) => {
        const faults = clusterFaults({
          workerCidr: cidrText(nodes),
          podsCidr: cidrText(pods),
          servicesCidr: undefined,
        });
        // Both begin at a multiple of 2^16 and are no larger.
        assert.equal(faults.length > 0, nodes.start === pods.start);
      }),
    );
  });
});

describe("the request of a deployment with a cluster", () => {
  it("is complete without flags", () => {
    assert.deepEqual(missingFlags(applyChange({}, { deployment: { cluster: {} } }, PLATFORM)), []);
  });

  it("is written from the state to a stack file without derived fields, and read back", () => {
    const deployment = decode({ cluster: GCP, kyma: { version: "2.20.0" } });
    const config = configOf({ deployment, platform: PLATFORM, provisioner: "garden" }, "acme");
    assert.deepEqual(config.deployment, { cluster: GCP, kyma: { version: "2.20.0" } });
    assert.deepEqual(decode(config.deployment as object), deployment);
  });

  it("is equal with and without the default number of slots", () => {
    const state = { platform: PLATFORM, deployment: { cluster: GCP } };
    assert.deepEqual(
      differencesBetween({ platform: PLATFORM, deployment: { cluster: GCP, slots: 1 } }, state, "acme"),
      [],
    );
  });

  it("rejects a duplicate Kyma component", () => {
    const component = { component: "istio", namespace: "istio-system" };
    assert.deepEqual(faultsOf({ cluster: GCP, kyma: { version: "1.24.0", components: [component, component] } }), [
      'kyma.components[1].component: found "istio"; expected a component once',
    ]);
  });
});
