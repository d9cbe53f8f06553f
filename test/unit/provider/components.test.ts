import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { construct } from "../../../provider/components/construct";
import { tokenOf } from "../../../provider/resources/registry";
import { mock, settled, valueOf, type Recorder } from "../runtime/mocks";
import { withWarnings } from "../runtime/warnings";

const CONTENT = `
apiVersion: v1
kind: Config
current-context: there
contexts: [{ name: there, context: { cluster: there, user: there } }]
clusters: [{ name: there, cluster: { server: "https://10.0.0.1" } }]
users: [{ name: there, user: {} }]
`;
const cluster = { kubeconfig: { content: pulumi.secret(CONTENT) } };
const HOST = "teraslice.secret.example.com";
const events = (more: object = {}) => ({
  cluster,
  image: "example/teraslice:1",
  terafoundation: { connectors: { "elasticsearch-next": { default: { node: ["https://search.example.com"] } } } },
  ...more,
});

describe("components of the package", () => {
  let recorder: Recorder;
  beforeEach(() => {
    const node = { labels: {}, taints: [], cpu: 8, memoryBytes: 2 ** 34 };
    const answers = { outputs: {}, nodes: [node], grows: false };
    recorder = mock(
      () => ({}),
      () => answers,
    );
  });

  const make = (name: string, component: string, args: object) => construct(name, tokenOf(component), args, {});

  /** Paths of the arguments with faults, and what is wrong with them. */
  async function faultsOf(component: string, args: object): Promise<Record<string, string>> {
    const error: unknown = await make("it", component, { cluster, ...args }).then(
      () => assert.fail("it was accepted"),
      (reason: unknown) => reason,
    );
    assert.ok(pulumi.InputPropertiesError.isInstance(error), String(error));
    assert.deepEqual(recorder.resources, []);
    return Object.fromEntries((error.errors ?? []).map(({ propertyPath, reason }) => [propertyPath, reason]));
  }

  it("reject arguments that mean nothing in them, with those that they have", async () => {
    const { enabled, optional, replicas } = await faultsOf("MetricsServer", {
      enabled: false,
      optional: true,
      replicas: 9,
    });
    assert.equal(enabled, "found an unknown key; expected one of cluster, replicas, timeoutSeconds, values");
    assert.equal(optional, enabled);
    assert.equal(replicas, "found 9; expected a whole number from 1 to 5");
    const hub = await faultsOf("JupyterHub", {
      auth: { type: "dummy" },
      ray: false,
      dataAccess: "reader",
      nodePool: "x",
    });
    for (const key of ["ray", "dataAccess", "nodePool"]) assert.match(hub[key] ?? "", /^found an unknown key/);
  });

  it("name the part of the cluster that they lack", async () => {
    for (const [component, args] of [
      ["ClusterAutoscaler", {}],
      ["Ingress", { nginx: {} }],
      ["DataAccess", { serviceAccounts: { default: ["reader"] } }],
    ] as const) {
      const { "cluster.eks": reason } = await faultsOf(component, args);
      assert.match(reason ?? "", /^found nothing; expected name[, ].*region .*of the EKS cluster/, component);
    }
  });

  it("have the format of a bundle as an argument", async () => {
    const versions = { "1.0.0": { sources: [{ type: "local", path: "test/fixtures" }], values: { host: "it" } } };
    const { format } = await faultsOf("Bundle", { format: "chart", versions });
    assert.match(format ?? "", /^found "chart"; expected plain\+v0 or .*helm/);
    const refused = await faultsOf("Bundle", { versions });
    assert.match(refused['versions["1.0.0"].values'] ?? "", /because the format plain\+v0 takes none/);
    await make("it", "Bundle", { cluster, format: "helm", versions });
    await settled(recorder);
    const release = recorder.resources.find(({ type }) => type.endsWith(":BundleRelease"));
    assert.equal(release?.inputs["format"], "helm");
  });

  it("have the service with the secrets that it needs", async () => {
    const environment = { APP_OIDC_ISSUER: "https://issuer.example.com" };
    const image = "registry.example.com/stackyard-service:1.0.0";
    const faults = await faultsOf("ProvisioningService", { image, environment, enabled: false });
    assert.deepEqual(Object.keys(faults).sort(), ["enabled", "secrets"]);
    assert.match(faults["secrets"] ?? "", /expected secrets with databaseUrl, or secretName/);
  });

  it("warn of arguments by their paths", async () => {
    const { warned } = await withWarnings(() =>
      make("events", "TerasliceCluster", events({ ingress: { hosts: [{ host: HOST }] } })),
    );
    assert.equal(warned.length, 1);
    assert.match(warned[0] ?? "", /^events\.ingress: found a way to the API that the network policy shuts/);
  });

  it("report faults of the cluster by the paths of arguments", async () => {
    await assert.rejects(make("events", "TerasliceCluster", events({ master: { nodeSelector: { zone: "west" } } })), {
      message: /^events\.master: found a pod for nodes with zone=west; expected labels that one of the 1 nodes has/,
    });
    assert.deepEqual(recorder.resources, []);
  });

  it("leave outputs unknown that are made of what is not known", async () => {
    const namespace = pulumi.output(pulumi.unknown);
    const { state } = await make(
      "events",
      "TerasliceCluster",
      events({ settings: { kubernetes_namespace: namespace } }),
    );
    const { endpoint } = state as { endpoint: { isKnown: Promise<boolean> } };
    assert.equal(await endpoint.isKnown, false);
    await settled(recorder);
  });

  it("take an ARN that is not known, and name faults of what is not known in the message", async () => {
    const unknown = pulumi.output(pulumi.unknown);
    const eks = { name: unknown, region: "eu-central-1", oidcProviderArn: unknown };
    const args = { cluster: { ...cluster, eks }, serviceAccounts: { default: ["reader"] } };
    const buckets = [{ bucket: "acme-data", access: unknown }];
    await assert.rejects(make("reader", "DataAccess", { ...args, buckets, accounts: "some" }), (error: unknown) => {
      assert.ok(pulumi.InputPropertiesError.isInstance(error));
      // The engine crashes when it prints the value of such an argument.
      assert.deepEqual(
        error.errors?.map(({ propertyPath }) => propertyPath),
        ["accounts"],
      );
      assert.match(error.message, /^reader has 2 faults; nothing was created\n {2}- buckets\[0\]\.access: found a /);
      return true;
    });
  });

  it("keep the secrets of arguments secret in outputs", async () => {
    const secret = pulumi.secret("secret-namespace");
    const { state } = await make("events", "TerasliceCluster", events({ settings: { kubernetes_namespace: secret } }));
    const { endpoint } = state as { endpoint: pulumi.Output<{ url: string }> };
    assert.equal(await pulumi.isSecret(endpoint), true);
    assert.equal((await valueOf(endpoint)).url, "http://events-master.secret-namespace.svc:5678");
    const open = await make("open", "TerasliceCluster", events());
    assert.equal(await pulumi.isSecret((open.state as { endpoint: pulumi.Output<object> }).endpoint), false);
    await settled(recorder);
  });
});
