import assert from "node:assert/strict";
import fc from "fast-check";
import { missingIn, withDefaults } from "../../../components/runtime/request/cluster/complete";
import type { ClusterRequest } from "../../../components/runtime/request/cluster/shape";
import { shootName } from "../../../components/runtime/types/gardener/shoot/name";
import { shootOf, type ShootOptions } from "../../../components/runtime/types/gardener/shoot/shoot";
import { at } from "../../../kubernetes/objects/objects";
import { AWS, AZURE, GCP, OPENSTACK } from "./clusters";

const OPTIONS: ShootOptions = {
  name: "acme",
  namespace: "garden-rill",
  binding: { kind: "SecretBinding", name: "account" },
  runtimeId: "acme",
  hibernated: false,
};

interface Spec extends Record<string, unknown> {
  readonly provider: Record<string, unknown> & { readonly workers: Record<string, unknown>[] };
}

const specOf = (cluster: ClusterRequest, options: Partial<ShootOptions> = {}): Spec =>
  shootOf(cluster, { ...OPTIONS, ...options })["spec"] as Spec;

const providerOf = (cluster: ClusterRequest) => specOf(cluster).provider;

describe("the Shoot of a cluster on GCP", () => {
  it("contains every field of the request", () => {
    assert.deepEqual(shootOf(GCP, OPTIONS), {
      apiVersion: "core.gardener.cloud/v1beta1",
      kind: "Shoot",
      metadata: {
        name: "acme",
        namespace: "garden-rill",
        labels: { account: "account-1", subaccount: "sub-1" },
        annotations: {
          "kcp.provisioner.kyma-project.io/runtime-id": "acme",
          "compass.provisioner.kyma-project.io/runtime-id": "acme",
        },
      },
      spec: {
        cloudProfileName: "gcp",
        secretBindingName: "account",
        region: "europe-west3",
        kubernetes: { version: "1.33.4", enableStaticTokenKubeconfig: false },
        networking: { type: "calico", nodes: "10.250.0.0/19", pods: "10.96.0.0/13", services: "10.104.0.0/13" },
        maintenance: { autoUpdate: { kubernetesVersion: false, machineImageVersion: false } },
        extensions: [
          {
            type: "shoot-dns-service",
            providerConfig: {
              apiVersion: "service.dns.extensions.gardener.cloud/v1alpha1",
              kind: "DNSConfig",
              dnsProviderReplication: { enabled: true },
            },
          },
          {
            type: "shoot-cert-service",
            providerConfig: {
              apiVersion: "service.cert.extensions.gardener.cloud/v1alpha1",
              kind: "CertConfig",
              shootIssuers: { enabled: true },
            },
          },
          { type: "shoot-networking-filter", disabled: true },
          { type: "shoot-oidc-service", disabled: false },
        ],
        hibernation: { enabled: false },
        provider: {
          type: "gcp",
          infrastructureConfig: {
            apiVersion: "gcp.provider.extensions.gardener.cloud/v1alpha1",
            kind: "InfrastructureConfig",
            networks: { worker: "10.250.0.0/19", workers: "10.250.0.0/19" },
          },
          controlPlaneConfig: {
            apiVersion: "gcp.provider.extensions.gardener.cloud/v1alpha1",
            kind: "ControlPlaneConfig",
            zone: "europe-west3-a",
          },
          workers: [
            {
              name: "cpu-worker-0",
              machine: { type: "n2-standard-4" },
              minimum: 2,
              maximum: 4,
              maxSurge: 1,
              maxUnavailable: 0,
              zones: ["europe-west3-a", "europe-west3-b"],
              volume: { type: "pd-standard", size: "50Gi" },
            },
          ],
          workersSettings: { sshAccess: { enabled: false } },
        },
      },
    });
  });
});

describe("the Shoot of a cluster on Azure", () => {
  const azure = (config: object) =>
    providerOf({
      ...AZURE,
      providerSpecificConfig: { azureConfig: { vnetCidr: "10.250.0.0/16", ...config } },
    });
  const networks = (config: object) => (azure(config)["infrastructureConfig"] as { networks: object }).networks;

  it("uses the range of its virtual network as its node range", () => {
    assert.equal((specOf(AZURE)["networking"] as { nodes: string }).nodes, "10.250.0.0/16");
    assert.equal(specOf(AZURE)["cloudProfileName"], "az");
  });

  it("supports no zones, zones in one subnet, and one subnet per zone", () => {
    const vnet = { cidr: "10.250.0.0/16" };
    assert.deepEqual(networks({}), { vnet, workers: "10.250.0.0/19" });
    assert.equal(Object.hasOwn(azure({}).workers[0]!, "zones"), false);
    assert.deepEqual(networks({ zones: ["1", "2"] }), { vnet, workers: "10.250.0.0/19" });
    assert.deepEqual(azure({ zones: ["1", "2"] }).workers[0]!["zones"], ["1", "2"]);
    const azureZones = [{ name: 1, cidr: "10.250.0.0/24" }];
    assert.deepEqual(networks({ azureZones }), { vnet, zones: azureZones });
    assert.deepEqual(azure({ azureZones }).workers[0]!["zones"], ["1"]);
    assert.equal((azure({ azureZones })["infrastructureConfig"] as { zoned: boolean }).zoned, true);
    assert.equal((azure({})["infrastructureConfig"] as { zoned: boolean }).zoned, false);
  });

  it("has a NAT gateway only with zones, and one per zone if each zone has a subnet", () => {
    const natGateway = { enabled: true, idleConnectionTimeoutMinutes: 4 };
    const azureZones = [{ name: 1, cidr: "10.250.0.0/24" }];
    assert.equal(Object.hasOwn(networks({ enableNatGateway: true }), "natGateway"), false);
    assert.deepEqual(networks({ zones: ["1"], enableNatGateway: true }), {
      vnet: { cidr: "10.250.0.0/16" },
      workers: "10.250.0.0/19",
      natGateway,
    });
    assert.deepEqual(networks({ azureZones, enableNatGateway: true, idleConnectionTimeoutMinutes: 30 }), {
      vnet: { cidr: "10.250.0.0/16" },
      zones: [{ ...azureZones[0], natGateway: { ...natGateway, idleConnectionTimeoutMinutes: 30 } }],
    });
  });
});

describe("the Shoot of a cluster on AWS", () => {
  it("has three subnets for each zone", () => {
    const { infrastructureConfig, workers } = providerOf(AWS);
    assert.deepEqual((infrastructureConfig as { networks: object }).networks, {
      vpc: { cidr: "10.250.0.0/16" },
      zones: [
        { name: "eu-central-1a", internal: "10.250.48.0/20", public: "10.250.32.0/20", workers: "10.250.0.0/19" },
      ],
    });
    assert.deepEqual(workers[0]!["zones"], ["eu-central-1a"]);
    assert.equal((specOf(AWS)["networking"] as { nodes: string }).nodes, "10.250.0.0/16");
  });

  it("is the same for the single zone of early clients", () => {
    const { awsZones = [], vpcCidr } = AWS.providerSpecificConfig!.awsConfig!;
    const { name, workerCidr, ...subnets } = awsZones[0]!;
    const early = { ...AWS, workerCidr, providerSpecificConfig: { awsConfig: { vpcCidr, zone: name, ...subnets } } };
    assert.deepEqual(specOf(early), specOf(AWS));
  });

  it("requires session tokens on the nodes of all pools if IMDSv2 is enabled", () => {
    const awsConfig = { ...AWS.providerSpecificConfig!.awsConfig!, enableIMDSv2: true };
    const workerPools = [{ name: "gpu", machineType: "g5.xlarge", autoScalerMin: 0, autoScalerMax: 1 }];
    const configs = providerOf({ ...AWS, workerPools, providerSpecificConfig: { awsConfig } }).workers.map(
      (worker) => worker["providerConfig"],
    );
    const config = {
      apiVersion: "aws.provider.extensions.gardener.cloud/v1alpha1",
      kind: "WorkerConfig",
      instanceMetadataOptions: { httpTokens: "required", httpPutResponseHopLimit: 2 },
    };
    assert.deepEqual(configs, [config, config]);
  });
});

describe("the Shoot of a cluster on OpenStack", () => {
  it("has its floating IP pool, its load balancer provider and the fixed exposure class", () => {
    const spec = specOf({ ...OPENSTACK, exposureClassName: "other" });
    assert.deepEqual(
      [spec["cloudProfileName"], spec["exposureClassName"]],
      ["converged-cloud-kyma", "converged-cloud-internet"],
    );
    assert.deepEqual(spec.provider["infrastructureConfig"], {
      apiVersion: "openstack.provider.extensions.gardener.cloud/v1alpha1",
      kind: "InfrastructureConfig",
      floatingPoolName: "FloatingIP-external-kyma-01",
      networks: { workers: "10.250.0.0/19" },
    });
    assert.equal((spec.provider["controlPlaneConfig"] as { loadBalancerProvider: string }).loadBalancerProvider, "f5");
  });

  it("has a disk of the requested size without a type", () => {
    assert.deepEqual(at(specOf({ ...OPENSTACK, volumeSizeGB: 80 }), "provider", "workers", 0, "volume"), {
      size: "80Gi",
    });
    assert.equal(at(specOf(OPENSTACK), "provider", "workers", 0, "volume"), undefined);
  });
});

describe("the optional fields of a Shoot", () => {
  it("include the filter of both directions", () => {
    const filter = { shootNetworkingFilterDisabled: false, shootNetworkingFilterBlackholing: true };
    assert.deepEqual(at(specOf({ ...GCP, ...filter }), "extensions", 2), {
      type: "shoot-networking-filter",
      disabled: false,
      providerConfig: {
        apiVersion: "shoot-networking-filter.extensions.config.gardener.cloud/v1alpha1",
        kind: "Configuration",
        egressFilter: { blackholingEnabled: true },
      },
    });
  });

  it("are taken from the request", () => {
    const spec = specOf({
      ...GCP,
      purpose: "development",
      seed: "az-us2",
      exposureClassName: "internet",
      controlPlaneFailureTolerance: "zone",
      machineImage: "gardenlinux",
      machineImageVersion: "1877.4.0",
      shootNetworkingFilterDisabled: false,
      hibernationSchedules: [{ start: "0 20 * * 1-5", end: "0 6 * * 1-5", location: "Europe/Berlin" }],
      dnsConfig: { domain: "acme.example.com", providers: [{ primary: true, secretName: "dns", type: "aws-route53" }] },
    });
    assert.deepEqual(
      [spec["purpose"], spec["seedName"], spec["exposureClassName"], spec["controlPlane"]],
      ["development", "az-us2", "internet", { highAvailability: { failureTolerance: { type: "zone" } } }],
    );
    assert.deepEqual(spec.provider.workers[0]!["machine"], {
      type: "n2-standard-4",
      image: { name: "gardenlinux", version: "1877.4.0" },
    });
    assert.deepEqual((spec["extensions"] as object[])[2], { type: "shoot-networking-filter", disabled: false });
    assert.deepEqual(spec["hibernation"], {
      enabled: false,
      schedules: [{ start: "0 20 * * 1-5", end: "0 6 * * 1-5", location: "Europe/Berlin" }],
    });
    assert.deepEqual(spec["dns"], {
      domain: "acme.example.com",
      providers: [
        { primary: true, secretName: "dns", type: "aws-route53", domains: { include: ["acme.example.com"] } },
      ],
    });
  });

  it("include annotations for the licence and for EU access", () => {
    const { metadata } = shootOf({ ...GCP, licenceType: "TestDevelopmentAndDemo", euAccess: true }, OPTIONS) as {
      metadata: { annotations: Record<string, string> };
    };
    assert.equal(metadata.annotations["kcp.provisioner.kyma-project.io/licence-type"], "TestDevelopmentAndDemo");
    assert.equal(metadata.annotations["support.gardener.cloud/eu-access-for-cluster-nodes"], "true");
  });

  it("include the requested maintenance window, or the region's window in production", () => {
    const maintenanceWindows = { "europe-west3": { begin: "170000+0000", end: "180000+0000" } };
    const windowOf = (cluster: ClusterRequest) =>
      (specOf(cluster, { maintenanceWindows })["maintenance"] as { timeWindow?: object }).timeWindow;
    assert.deepEqual(windowOf({ ...GCP, purpose: "production" }), maintenanceWindows["europe-west3"]);
    assert.equal(windowOf({ ...GCP, purpose: "evaluation" }), undefined);
    assert.equal(windowOf({ ...GCP, purpose: "production", region: "us-east1" }), undefined);
    const own = { begin: "010000+0000", end: "020000+0000" };
    assert.deepEqual(windowOf({ ...GCP, purpose: "production", maintenanceWindow: own }), own);
  });

  it("include an audit policy and an OIDC provider of the API server", () => {
    const oidcConfig = {
      clientID: "id",
      groupsClaim: "groups",
      issuerURL: "https://issuer.example.com",
      signingAlgs: ["RS256"],
      usernameClaim: "sub",
      usernamePrefix: "-",
    };
    assert.deepEqual(specOf({ ...GCP, oidcConfig }, { auditPolicy: "audit" })["kubernetes"], {
      version: "1.33.4",
      enableStaticTokenKubeconfig: false,
      kubeAPIServer: { oidcConfig, auditConfig: { auditPolicy: { configMapRef: { name: "audit" } } } },
    });
  });

  it("have both families of addresses, without an overlay network, if requested", () => {
    const network = (dualStack: boolean | undefined, ...keys: string[]) =>
      at(specOf({ ...GCP, dualStack }), "networking", ...keys);
    assert.deepEqual(network(true, "ipFamilies"), ["IPv4", "IPv6"]);
    assert.equal(network(true, "providerConfig", "overlay", "enabled"), false);
    for (const dualStack of [false, undefined])
      assert.deepEqual(
        [network(dualStack, "ipFamilies"), network(dualStack, "providerConfig")],
        [undefined, undefined],
      );
  });

  it("have an access list with the ranges of the request and those of the provisioner, or none", () => {
    const listOf = (own: readonly string[] | undefined) =>
      (
        specOf({ ...GCP, ...(own && { allowedCidrs: [...own] }) }, { allowedCidrs: ["192.0.2.1/32", "10.0.0.0/8"] })[
          "extensions"
        ] as readonly { readonly type: string }[]
      ).find(({ type }) => type === "acl");
    assert.deepEqual(listOf(["203.0.113.0/24", "10.0.0.0/8"]), {
      type: "acl",
      disabled: false,
      providerConfig: {
        rule: { action: "ALLOW", type: "remote_ip", cidrs: ["203.0.113.0/24", "10.0.0.0/8", "192.0.2.1/32"] },
      },
    });
    for (const none of [[], undefined]) assert.equal(listOf(none), undefined);
  });

  it("include a toleration in Saudi Arabia, and a Seed selector for the region if requested", () => {
    assert.deepEqual(specOf({ ...GCP, region: "me-central2" })["tolerations"], [{ key: "ksa-assured-workload" }]);
    assert.deepEqual(specOf({ ...GCP, shootAndSeedSameRegion: true })["seedSelector"], {
      matchLabels: { "seed.gardener.cloud/region": "europe-west3" },
      providerTypes: ["gcp"],
    });
  });

  it("include allowPrivilegedContainers only before Kubernetes 1.25", () => {
    const privileged = (kubernetesVersion: string) =>
      (specOf({ ...GCP, kubernetesVersion, allowPrivilegedContainers: true })["kubernetes"] as Record<string, unknown>)[
        "allowPrivilegedContainers"
      ];
    assert.deepEqual([privileged("1.24.3"), privileged("1.33.4")], [true, undefined]);
  });
});

describe("the name of a Shoot", () => {
  it("is the deployment's id if Gardener allows it", () => {
    assert.equal(shootName("rill", "acme"), "acme");
  });

  it("is valid, at most 21 characters with the project name, and unique for each id", () => {
    const id = fc.stringMatching(/^[A-Za-z0-9._-]{1,100}$/);
    fc.assert(
      fc.property(id, id, (a, b) => {
        const name = shootName("rill-eu", a);
        assert.match(name, /^(?!.*--)[a-z]([a-z0-9-]*[a-z0-9])?$/);
        assert.ok(name.length <= 14);
        assert.equal(name === shootName("rill-eu", b), a === b);
      }),
    );
  });
});

describe("a cluster with the defaults of its provisioner", () => {
  it("has its own values, and the defaults for the rest", () => {
    const cluster = withDefaults({ machineType: "n2-standard-8" }, GCP);
    assert.deepEqual(cluster, { ...GCP, machineType: "n2-standard-8" });
    assert.deepEqual(missingIn(cluster), []);
  });

  it("ignores defaults of another cloud provider", () => {
    const { region, providerSpecificConfig, machineType, kubernetesVersion } = withDefaults({ provider: "aws" }, GCP);
    assert.deepEqual(
      [region, providerSpecificConfig, machineType, kubernetesVersion],
      [undefined, undefined, undefined, "1.33.4"],
    );
  });

  it("uses defaults without a cloud provider for every provider", () => {
    const { providerSpecificConfig } = GCP;
    const defaults = { ...GCP, provider: undefined, providerSpecificConfig: undefined };
    assert.deepEqual(missingIn(withDefaults({ providerSpecificConfig }, defaults)), []);
    assert.equal(withDefaults({ provider: "gcp", providerSpecificConfig }, defaults).region, GCP.region);
  });

  it("reports every required field that has no value", () => {
    assert.deepEqual(
      missingIn({ kubernetesVersion: "1.33.4", workerPools: [{ name: "gpu" }] }).map(({ path }) => path.join(".")),
      [
        ...["region", "machineType", "autoScalerMin", "autoScalerMax", "maxSurge", "maxUnavailable"],
        ...["provider", "providerSpecificConfig", "workerCidr"],
        ...["machineType", "autoScalerMin", "autoScalerMax"].map((key) => `workerPools.0.${key}`),
      ],
    );
  });

  const diskless = { diskType: undefined, volumeSizeGB: undefined };
  const bare = { name: "more", machineType: "a", autoScalerMin: 0, autoScalerMax: 3 };
  for (const [name, cloud] of Object.entries({ gcp: GCP, azure: AZURE, aws: AWS })) {
    it(`reports a missing disk of each pool, which ${name} requires`, () => {
      const missing = missingIn({ ...cloud, ...diskless, workerPools: [{ ...bare, diskType: "a" }] });
      assert.deepEqual(
        missing.map(({ path }) => path.join(".")),
        ["diskType", "volumeSizeGB", "workerPools.0.volumeSizeGB"],
      );
      assert.match(missing[0]?.expected ?? "", new RegExp(`, which Gardener requires with provider ${name}$`));
    });
  }

  it("needs no disk on OpenStack", () => {
    assert.deepEqual(missingIn({ ...OPENSTACK, workerPools: [bare] }), []);
  });
});
