import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Recorder, Registered } from "../../runtime/mocks";
import { faultsOf, graphOf } from "./clusters";

const CLUSTER = {
  type: "pulumiEks",
  access: { admins: { platform: "arn:aws:iam::123456789012:role/platform" }, creatorIsAdmin: true },
};
const existing = { privateSubnetIds: ["subnet-0000000a", "subnet-0000000b"] };

describe("a cluster of type pulumiEks", function () {
  this.timeout(20_000);
  const made = (recorder: Recorder): Registered => recorder.only("eks:index:Cluster");

  it("is made by eks.Cluster with the keys of the stack file, and has only the platform's add-ons and nodes", async () => {
    const recorder = await graphOf({
      ...CLUSTER,
      endpoint: { publicCidrs: ["203.0.113.0/24"] },
      tags: { team: "data" },
    });
    const { inputs } = made(recorder);
    assert.ok(!recorder.resources.some(({ type }) => type === "aws:eks/cluster:Cluster"));
    for (const [key, value] of Object.entries({
      name: "acme",
      version: "1.35",
      endpointPrivateAccess: true,
      endpointPublicAccess: true,
      publicAccessCidrs: ["203.0.113.0/24"],
      kubernetesServiceIpAddressRange: "172.20.0.0/16",
      authenticationMode: "API",
      upgradePolicy: { supportType: "STANDARD" },
      deletionProtection: true,
      createOidcProvider: false,
      skipDefaultNodeGroup: true,
      createInstanceRole: false,
      useDefaultVpcCni: true,
      tags: { team: "data" },
    }))
      assert.deepEqual(inputs[key], value, key);
    for (const key of ["corednsAddonOptions", "kubeProxyAddonOptions"])
      assert.equal((inputs[key] as { enabled: boolean }).enabled, false, key);
    const types = recorder.resources.map(({ type }) => type);
    for (const type of ["aws:eks/addon:Addon", "aws:eks/nodeGroup:NodeGroup", "aws:eks/accessEntry:AccessEntry"])
      assert.ok(types.includes(type), type);
  });

  it("takes arguments of eks.Cluster, and makes its self-managed group if they describe nodes", async () => {
    const fargate = { selectors: [{ namespace: "batch" }] };
    const { inputs } = made(
      await graphOf({ ...CLUSTER, arguments: { fargate, instanceType: "m7i.large", maxSize: 3 } }),
    );
    assert.deepEqual(inputs["fargate"], fargate);
    assert.equal(inputs["instanceType"], "m7i.large");
    assert.equal(inputs["skipDefaultNodeGroup"], undefined);
  });

  it("has EKS Auto Mode with the pools of the stack file only", async () => {
    const nodePools = { general: { instanceTypes: ["m7i.xlarge"], max: 5 } };
    const { inputs } = made(await graphOf({ ...CLUSTER, nodes: "auto", nodePools }));
    assert.deepEqual(inputs["autoMode"], { enabled: true, createNodeRole: false, computeConfig: { nodePools: [] } });
  });

  it("has IPv6 in subnets that have it, with the rights of nodes over its addresses", async () => {
    const recorder = await graphOf({ ...CLUSTER, network: { existing }, arguments: { ipFamily: "ipv6" } });
    const { inputs } = made(recorder);
    assert.equal(inputs["ipFamily"], "ipv6");
    assert.equal(inputs["kubernetesServiceIpAddressRange"], undefined);
    const policy = recorder.resources.find(({ name }) => name === "cluster-eks-nodes-ipv6")?.inputs["policy"];
    assert.match(String(policy), /ec2:AssignIpv6Addresses/);
    assert.match(
      faultsOf({ ...CLUSTER, arguments: { ipFamily: "ipv6" } }).join(),
      /network\.existing: found nothing; expected subnets with IPv6/,
    );
  });

  const refused: [string, object, RegExp][] = [
    [
      "an argument that a key sets",
      { arguments: { version: "1.35" } },
      /arguments\.version: found an argument; expected nothing, because cluster\.version sets it/,
    ],
    [
      "an unknown argument",
      { arguments: { fargat: true } },
      /arguments\.fargat: found an unknown argument; expected .*did you mean fargate/,
    ],
    [
      "zonalShift",
      { zonalShift: true },
      /zonalShift: found true; expected nothing, because eks\.Cluster has no such argument/,
    ],
    ["controlPlaneTier", { controlPlaneTier: "tier-xl" }, /controlPlaneTier: found "tier-xl"; expected nothing/],
    ["forceUpdate", { forceUpdate: true }, /forceUpdate: found true; expected nothing/],
    [
      "further security groups",
      { endpoint: { securityGroupIds: ["sg-0000000a"] } },
      /endpoint\.securityGroupIds: found \["sg-0000000a"\]; expected nothing/,
    ],
    [
      "a creator that is no administrator",
      { access: { admins: CLUSTER.access.admins } },
      /creatorIsAdmin: found false; expected true, because eks\.Cluster makes/,
    ],
  ];
  for (const [what, keys, says] of refused) {
    it(`refuses ${what} at its key`, () => assert.match(faultsOf({ ...CLUSTER, ...keys }).join("\n"), says));
  }

  it("refuses arguments for another type", () => {
    assert.match(
      faultsOf({ arguments: {} }).join(),
      /cluster\.arguments: found arguments; expected nothing, because type is eks/,
    );
  });

  it("knows each argument of the installed version", () => {
    const file = path.join(path.dirname(require.resolve("@pulumi/eks/package.json")), "cluster.d.ts");
    const text = readFileSync(file, "utf8");
    const fields = [...text.slice(text.indexOf("interface ClusterArgs")).matchAll(/^ {4}(\w+)\?:/gm)].map(
      ([, name = ""]) => name,
    );
    const unknown = fields.filter((name) =>
      faultsOf({ ...CLUSTER, arguments: { [name]: "x" }, network: { existing } })
        .join()
        .includes("an unknown argument"),
    );
    assert.deepEqual(unknown, []);
  });
});
