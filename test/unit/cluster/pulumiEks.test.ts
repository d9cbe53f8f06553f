import assert from "node:assert/strict";
import * as eks from "@pulumi/eks";
import * as pulumi from "@pulumi/pulumi";
import { DataAccess, type DataAccessConfig } from "../../../components/dataAccess/dataAccess";
import { fromPulumiEks } from "../../../components/eks/pulumiEks";
import { irsaTrust } from "../../../components/cluster/serviceAccountRole/trust";
import { ProvisionerSet } from "../../../components/provisioners/provisionerSet";
import { mock, settled, valueOf, type Recorder, type Registered } from "../runtime/mocks";
import { answerOf } from "./answers";

const ARN = "arn:aws:eks:eu-central-1:123456789012:cluster/own-eks";
const PROVIDER = "arn:aws:iam::123456789012:oidc-provider/oidc.example.com/id/0";

/** What the component of @pulumi/eks answers, which a provider of another language makes. */
const outputsOf =
  (oidcProviderArn: string) =>
  ({ type, name }: Registered): Record<string, unknown> =>
    type === "eks:index:Cluster"
      ? {
          eksCluster: {
            name: "own-eks-0a1b2c3",
            arn: ARN,
            endpoint: "https://own.eks.amazonaws.com",
            vpcConfig: { vpcId: "vpc-0a" },
          },
          kubeconfigJson: '{"kind":"Config"}',
          oidcProviderArn,
          oidcProviderUrl: "https://oidc.example.com/id/0",
          clusterSecurityGroupId: "sg-0c",
          nodeSecurityGroupId: "sg-0d",
          instanceRoles: [{ arn: "arn:aws:iam::123456789012:role/nodes" }],
        }
      : { arn: `arn:aws:test:::${name}` };

const ENTRY: DataAccessConfig = {
  serviceAccounts: { ray: ["daft"] },
  accounts: "make",
  createNamespaces: false,
  buckets: [{ bucket: "data", access: "read", prefixes: [] }],
  managedPolicies: {},
};

describe("a cluster that a program creates with @pulumi/eks", function () {
  this.timeout(30_000);
  const begin = (oidcProviderArn = PROVIDER): { recorder: Recorder; made: eks.Cluster } => {
    const recorder = mock(outputsOf(oidcProviderArn), (call) => answerOf(call));
    return { recorder, made: new eks.Cluster("own", { createOidcProvider: true }) };
  };
  const named = ({ resources }: Recorder, name: string): Record<string, unknown> =>
    resources.find((one) => one.name === name)?.inputs ?? assert.fail(`no ${name}`);

  it("becomes the platform's cluster, with kubeconfig, address, security groups and node roles", async () => {
    const { made } = begin();
    const { cluster, securityGroupIds, nodeRoleArns } = fromPulumiEks("own", { cluster: made });
    assert.equal(await valueOf(cluster.server), "https://own.eks.amazonaws.com");
    assert.equal(await valueOf(cluster.kubeconfig), '{"kind":"Config"}');
    assert.equal(await pulumi.isSecret(cluster.kubeconfig), true);
    assert.deepEqual(await valueOf(pulumi.all([securityGroupIds.cluster, securityGroupIds.nodes])), ["sg-0c", "sg-0d"]);
    assert.deepEqual(await valueOf(nodeRoleArns), ["arn:aws:iam::123456789012:role/nodes"]);
    assert.equal(await valueOf(cluster.identity?.vpcId ?? ""), "vpc-0a");
  });

  it("has roles for data access by its OIDC provider", async () => {
    const { made, recorder } = begin();
    const { cluster } = fromPulumiEks("own", {
      cluster: made,
      permissionsBoundary: "arn:aws:iam::123456789012:policy/b",
    });
    const { access, provider, identity } = cluster;
    new DataAccess("data", {
      cluster: { ...identity!, access, provider },
      rolePrefix: "own",
      identity: "irsa",
      entries: { daft: ENTRY },
    });
    await settled(recorder);
    const { name, assumeRolePolicy, permissionsBoundary } = named(recorder, "data/daft-role");
    assert.deepEqual([name, permissionsBoundary], ["own-daft", "arn:aws:iam::123456789012:policy/b"]);
    assert.match(
      String(assumeRolePolicy),
      /"Federated":"arn:aws:iam::123456789012:oidc-provider\/oidc\.example\.com\/id\/0"/,
    );
    const accounts = named(recorder, "data/daft-accounts/ray");
    assert.equal(accounts["cluster"], "https://own.eks.amazonaws.com");
  });

  it("requires an OIDC provider for roles for data access", () => {
    const subjects = [{ namespace: "ray", serviceAccount: "daft" }];
    assert.throws(
      () => irsaTrust("", "https://oidc.example.com/id/0", subjects),
      /no OIDC provider in IAM.*createOidcProvider/,
    );
  });

  it("can have provisioners", async () => {
    const { made, recorder } = begin();
    const { cluster } = fromPulumiEks("own", { cluster: made });
    const settings = {
      namespace: "runtimes",
      host: "https://*.example.com",
      image: "example/runtime",
      timeoutSeconds: 60,
      dataDir: "/data",
      ping: "off",
      templates: [],
    };
    const provisioners = { eu: { type: "kubernetes", createNamespace: true, namespace: {}, settings } } as never;
    new ProvisionerSet("provisioners", { provisioners, cluster });
    await settled(recorder);
    const sets = recorder.resources.filter(({ inputs }) => inputs["cluster"] === "https://own.eks.amazonaws.com");
    assert.ok(sets.length > 0, recorder.resources.map(({ type, name }) => `${type} ${name}`).join());
  });
});
