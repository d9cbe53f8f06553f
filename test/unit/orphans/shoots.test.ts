import assert from "node:assert/strict";
import type { ClusterRequest } from "../../../components/runtime/request/cluster/shape";
import { shootOf } from "../../../components/runtime/types/gardener/shoot/shoot";
import type { Platform } from "../../../components/runtime/platform/platform";
import type { GardenerProvisioner } from "../../../components/runtime/types/gardener/spec";
import { SHOOT } from "../../../components/resources/tokens";
import { clusterRequestOf } from "../../../engine/adoption/gardener/seen";
import { Search } from "../../../engine/orphans/search";
import { gardensOf, shootOrphans } from "../../../engine/orphans/gardener/shoots";
import { KnownOwners } from "../../../engine/orphans/known";
import { dataOf, partsOf, structuredOrphan } from "../../../engine/orphans/kinds";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { set, stack } from "../fleet/fixtures";
import { AWS, AZURE, GCP, OPENSTACK } from "../gardener/clusters";
import { PLATFORM } from "../runtime/platform";

const GARDEN: GardenerProvisioner = {
  ...{ type: "gardener", kubeconfig: "secret-kubeconfig", cluster: "https://garden", project: "rill" },
  ...{ namespace: "garden-rill", secretBindings: {}, cloudProfiles: {}, defaults: {}, maintenanceWindows: {} },
  ...{ auditLogs: {}, timeouts: {}, allowForceDeletion: false },
};

describe("a Shoot in a garden", () => {
  const platform: Platform = { ...PLATFORM, provisioners: { garden: GARDEN, twin: { ...GARDEN } } };
  const shoot = (name: string, more: object = {}, annotations: object = {}): KubeObject => {
    const origin = { deployment: `the-${name}`, platform: "organization/stackyard/dev", provisioner: "garden" };
    const said = Object.entries({ ...origin, ...more }).map(([key, value]) => [`stackyard.dev/${key}`, value]);
    const metadata = {
      ...{ name, namespace: "garden-rill", uid: `uid-${name}` },
      annotations: { ...Object.fromEntries(said), "stackyard.dev/owner-id": "owner-1", ...annotations },
    };
    const spec = { kubernetes: { version: "1.33.4" } };
    return { apiVersion: "core.gardener.cloud/v1beta1", kind: "Shoot", metadata, spec };
  };
  const inState = (name: string, uid?: string) =>
    set({ type: SHOOT, inputs: { shoot: { metadata: { namespace: "garden-rill", name } } }, outputs: { uid } });
  const known = new KnownOwners([
    stack("known", { resources: [inState("known", "uid-known")] }),
    stack("again", { resources: [inState("again", "uid-of-a-former-one")] }),
    stack("killed", { resources: [], pending: 1, begun: [inState("killed")] }),
  ]);
  const orphans = (...shoots: KubeObject[]) => shootOrphans("dev", platform, GARDEN, shoots, known, new Search());

  it("is an orphan unless it is in a state, belongs to another platform or has no annotations", () => {
    const nobodys = shoot("nobodys");
    const found = orphans(
      ...["known", "again", "killed", "lost"].map((name) => shoot(name)),
      shoot("theirs", { platform: "organization/stackyard/prod" }),
      { ...nobodys, metadata: { ...nobodys.metadata, annotations: {} } },
    );
    assert.deepEqual(
      found.map(({ id, provisioner, owner }) => [id, provisioner, owner]),
      [
        ["the-again", "garden", "owner-1"],
        ["the-lost", "garden", "owner-1"],
      ],
    );
  });

  it("of another platform is found if its deployment is looked for everywhere", () => {
    const theirs = ["lost", "other"].map((name) => shoot(name, { platform: "organization/stackyard/prod" }));
    const found = shootOrphans("dev", platform, GARDEN, theirs, known, new Search("the-lost"));
    assert.deepEqual(
      found.map(({ id, platform: name }) => [id, name]),
      [["the-lost", "dev"]],
    );
  });

  it("is shown with the data that is lost with it, and without secrets", () => {
    const found = orphans(shoot("lost"), shoot("gone", { provisioner: "removed" }));
    assert.deepEqual(found.flatMap(partsOf), [
      "Shoot garden-rill/lost with Kubernetes 1.33.4",
      "Shoot garden-rill/gone with Kubernetes 1.33.4",
    ]);
    assert.deepEqual(found.flatMap(dataOf)[0], { name: "garden-rill/lost", lost: true });
    assert.doesNotMatch(JSON.stringify(found.map(structuredOrphan)), /secret-kubeconfig/);
    assert.deepEqual(
      found.map(({ spec }) => spec?.project),
      ["rill", undefined],
    );
  });

  it("is searched for once in a project that several provisioners share", () => {
    assert.deepEqual(
      gardensOf(platform).map((specs) => specs.length),
      [2],
    );
  });
});

describe("the request read from a Shoot", () => {
  const rich: ClusterRequest = {
    ...GCP,
    ...{ purpose: "production", licenceType: "TestDevelopmentAndDemo", euAccess: true, exposureClassName: "internal" },
    ...{ enableKubernetesVersionAutoUpdate: true, controlPlaneFailureTolerance: "zone", shootAndSeedSameRegion: true },
    oidcConfig: {
      ...{ clientID: "c", groupsClaim: "g", issuerURL: "https://i", signingAlgs: ["RS256"] },
      ...{ usernameClaim: "u", usernamePrefix: "-" },
    },
    dnsConfig: {
      domain: "acme.example.com",
      providers: [{ domainsInclude: ["acme.example.com"], primary: true, secretName: "dns", type: "route53" }],
    },
    workerPools: [
      {
        ...{ name: "gpu", machineType: "g2", autoScalerMin: 0, autoScalerMax: 2, zones: ["europe-west3-a"] },
        ...{ labels: { a: "b" }, taints: [{ key: "gpu", effect: "NoSchedule" as const }] },
      },
    ],
    hibernationSchedules: [{ start: "0 20 * * *", end: "0 6 * * *", location: "Europe/Berlin" }],
    maintenanceWindow: { begin: "220000+0100", end: "230000+0100" },
    shootNetworkingFilterDisabled: false,
  };
  const azure = (azureConfig: object): ClusterRequest => ({
    ...AZURE,
    providerSpecificConfig: { azureConfig: { vnetCidr: "10.250.0.0/16", ...azureConfig } },
  });
  const imds: ClusterRequest = {
    ...AWS,
    providerSpecificConfig: { awsConfig: { ...AWS.providerSpecificConfig!.awsConfig!, enableIMDSv2: true } },
  };
  const natGateway = { enableNatGateway: true, idleConnectionTimeoutMinutes: 30 };
  const requests: Readonly<Record<string, ClusterRequest>> = {
    ...{ "on GCP": GCP, "on Azure": AZURE, "on AWS": AWS, "on OpenStack": OPENSTACK, "with everything": rich },
    "on Azure in zones": azure({ zones: ["1", "2"], ...natGateway }),
    "on Azure with subnets": azure({ azureZones: [{ name: 1, cidr: "10.250.0.0/19" }], ...natGateway }),
    "on AWS with IMDSv2": imds,
  };

  for (const [title, request] of Object.entries(requests)) {
    it(`would create the same Shoot ${title}`, () => {
      const options = {
        ...{
          name: "acme",
          namespace: "garden-rill",
          binding: { kind: "SecretBinding" as const, name: "account" },
          runtimeId: "acme",
          hibernated: false,
        },
      };
      const shoot = shootOf(request, options) as unknown as KubeObject;
      const seen = clusterRequestOf(shoot);
      assert.deepEqual(shootOf(seen, options), shoot);
      assert.equal(seen.targetSecret, "account");
      assert.equal(seen.name, "acme");
    });
  }

  /** The disk of a request that is read from a Shoot with a volume. */
  const diskSeen = (type: string, volume: object) => {
    const spec = { provider: { type, workers: [{ name: "cpu-worker-0", volume }] } };
    const { diskType, volumeSizeGB } = clusterRequestOf({
      ...{ apiVersion: "core.gardener.cloud/v1beta1", kind: "Shoot", metadata: { name: "acme" }, spec },
    });
    return [diskType, volumeSizeGB];
  };

  it("has the size of a disk in GiB, whatever its unit", () => {
    for (const [size, gib] of [
      ["50Gi", 50],
      ["1Ti", 1024],
      ["100G", 94],
      ["1T", 932],
    ] as const)
      assert.deepEqual(diskSeen("gcp", { type: "pd-ssd", size }), ["pd-ssd", gib]);
  });

  it("has a disk without a type on OpenStack, where requests name none", () => {
    assert.deepEqual(diskSeen("openstack", { type: "ssd", size: "50Gi" }), [undefined, 50]);
  });
});
