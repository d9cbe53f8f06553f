import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { ClusterRequest } from "../../../components/runtime/request/cluster/shape";
import { shootOf } from "../../../components/runtime/types/gardener/shoot/shoot";
import type { Context } from "../../../foundation/pulumi/resource";
import { ownerIdOn } from "../../../kubernetes/identity/ownerId";
import { at, textAt, type KubeObject } from "../../../kubernetes/objects/objects";
import type { ShootInputs, ShootState } from "../../../provider/resources/shoot/inputs";
import { shoot as handler } from "../../../provider/resources/shoot/shoot";
import { forVersion } from "../../../kubernetes/gardener/versionFields";
import { GARDENER } from "../../../toolchain/tools/gardener";
import { Gardener } from "../../doubles/gardener/gardener";
import { GCP } from "../../unit/gardener/clusters";
import { contextOf } from "../../unit/provider/context";

const OIDC = {
  clientID: "kyma",
  groupsClaim: "groups",
  issuerURL: "https://issuer.example.com",
  signingAlgs: ["RS256", "ES256"],
  usernameClaim: "sub",
  usernamePrefix: "-",
};
const REQUEST: ClusterRequest = {
  ...GCP,
  machineType: "n1-standard-4",
  dnsConfig: {
    domain: "acme.example.com",
    providers: [{ primary: true, secretName: "route53", type: "aws-route53" }],
  },
  euAccess: true,
  oidcConfig: OIDC,
};

describe("a Shoot with each Kubernetes version", () => {
  let gardener: Gardener;
  const context = (more: Partial<Context> = {}): Context => contextOf(() => undefined, more);

  before(async () => {
    const project = `v${randomBytes(1).toString("hex")}`;
    const yard = process.env["STACKYARD_TEST_YARD"] ?? "";
    // The other tests use the newest release.
    gardener = await Gardener.start({ yard, stepMs: 20, project, release: GARDENER.oldest.version });
  });
  after(() => gardener.stop());

  function inputsOf(
    name: string,
    kubernetesVersion: string,
    change: ClusterRequest = {},
    binding = "gcp",
  ): ShootInputs {
    const { namespace, kubeconfig } = gardener;
    const options = {
      ...{ name, namespace, runtimeId: name, hibernated: false },
      binding: { kind: "SecretBinding" as const, name: binding },
    };
    const shoot = shootOf({ ...REQUEST, kubernetesVersion, ...change }, options) as KubeObject;
    return { kubeconfig, cluster: "https://gardener.example.com", instance: `instance-of-${name}`, shoot };
  }

  interface Made {
    readonly id: string;
    readonly inputs: ShootInputs;
    readonly state: ShootState;
  }

  async function create(name: string, version: string, change: ClusterRequest = {}): Promise<Made> {
    const inputs = inputsOf(name, version, change);
    const previewed = await handler.create(context({ preview: true }), inputs);
    assert.equal(previewed.state.kubernetesVersion, version);
    return { inputs, ...(await handler.create(context(), inputs)) };
  }

  async function update(
    { id, inputs, state }: Made,
    version: string,
    change: ClusterRequest = {},
    instance = inputs.instance,
  ): Promise<Made> {
    const next = {
      ...inputsOf(inputs.shoot.metadata.name, version, change),
      ...(instance !== undefined && { instance }),
    };
    await handler.update(context({ preview: true }), id, { inputs, state }, next);
    return { id, inputs: next, state: await handler.update(context(), id, { inputs, state }, next) };
  }

  const remove = ({ id, inputs, state }: Made) => handler.delete(context(), id, { inputs, state });

  const spec = async (name: string, ...path: (string | number)[]): Promise<unknown> =>
    at(await gardener.shoot(name), "spec", ...path);

  const authentication = (name: string): Promise<KubeObject | undefined> =>
    gardener.garden.get({
      ...{ apiVersion: "v1", kind: "ConfigMap" },
      ...{ namespace: gardener.namespace, name: `${name}-authentication` },
    });

  /** What `pulumi refresh` would report. */
  async function driftOf({ id, inputs, state }: Made): Promise<unknown> {
    const read = await handler.read(context(), id, { inputs, state });
    return read && (await handler.diff(context(), id, { inputs, state }, read.inputs)).changes;
  }

  it("is upgraded from version to version with valid fields and without drift", async () => {
    let made = await create("all", "1.32.8");
    assert.deepEqual(await driftOf(made), {});
    for (const version of ["1.33.4", "1.34.3", "1.35.2"]) {
      made = await update(made, version);
      assert.equal(made.state.kubernetesVersion, version);
      assert.deepEqual(await driftOf(made), {}, version);
    }
    assert.deepEqual(
      await Promise.all(["secretBindingName", "credentialsBindingName", "cloudProfile"].map((key) => spec("all", key))),
      [undefined, "gcp", { kind: "CloudProfile", name: "gcp" }],
    );
    assert.equal(textAt(await spec("all", "dns", "providers", 0), "credentialsRef", "name"), "route53");
    assert.equal(ownerIdOn((await authentication("all"))!), "instance-of-all");
    await remove(made);
    assert.equal(await authentication("all"), undefined);
  });

  it("is reconciled when only its OIDC settings change, and has no ConfigMap without them", async () => {
    let made = await create("oidc", "1.33.4");
    made = await update(made, "1.33.4", { oidcConfig: { ...OIDC, clientID: "other" } });
    assert.match(textAt(await authentication("oidc"), "data", "config.yaml") ?? "", /- other/);
    const { metadata, status } = (await gardener.shoot("oidc"))!;
    assert.equal(textAt(status, "lastOperation", "type"), "Reconcile");
    assert.equal(metadata.annotations?.["gardener.cloud/operation"], undefined);
    made = await update(made, "1.33.4", { additionalOidcConfig: [{ ...OIDC, issuerURL: "https://b.example.com" }] });
    const both = textAt(await authentication("oidc"), "data", "config.yaml") ?? "";
    assert.match(both, /issuer\.example\.com[^]*b\.example\.com/);
    assert.deepEqual(await driftOf(made), {});
    made = await update(made, "1.33.4", { oidcConfig: undefined });
    assert.equal(await spec("oidc", "kubernetes", "kubeAPIServer", "structuredAuthentication"), undefined);
    assert.equal(await authentication("oidc"), undefined);
    await remove(made);
  });

  it("reports manual changes of OIDC settings", async () => {
    const made = await create("drift", "1.33.4");
    const configMap = (await authentication("drift"))!;
    const text = textAt(configMap, "data", "config.yaml")?.replace("- kyma", "- evil");
    await gardener.garden.merge(
      { apiVersion: "v1", kind: "ConfigMap", namespace: gardener.namespace, name: configMap.metadata.name },
      { data: { "config.yaml": text } },
    );
    assert.notDeepEqual(await driftOf(made), {});
    await remove(made);
  });

  it("rejects an existing ConfigMap of another owner", async () => {
    const { namespace } = gardener;
    const other = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name: "taken-authentication" } };
    await gardener.garden.create({ ...other, data: { key: "theirs" } });
    await assert.rejects(
      handler.create(context(), inputsOf("taken", "1.33.4")),
      /ConfigMap \S+\/taken-authentication exists and does not belong to this Shoot; expected none of this name/,
    );
    assert.deepEqual((await authentication("taken"))?.["data"], { key: "theirs" });
    assert.equal(await gardener.shoot("taken"), undefined);
  });

  it("keeps newer fields of an imported Shoot when another field changes", async () => {
    const { namespace, garden } = gardener;
    const { shoot, configMap } = forVersion(inputsOf("old", "1.33.4").shoot);
    const name = "team-oidc";
    await garden.create({ ...configMap!, metadata: { namespace, name } });
    const described = shoot["spec"] as Record<string, unknown>;
    const newer = {
      ...{ cloudProfileName: undefined, secretBindingName: undefined, credentialsBindingName: "gcp" },
      cloudProfile: { kind: "NamespacedCloudProfile", name: "gcp" },
      accessRestrictions: [{ name: "eu-access-only" }, { name: "other" }],
      kubernetes: {
        version: "1.33.4",
        kubeAPIServer: { structuredAuthentication: { configMapName: name }, eventTTL: "2h" },
      },
    };
    const live = await garden.create({ ...shoot, spec: { ...described, ...newer } });
    const fields = ["cloudProfile", "cloudProfileName", "credentialsBindingName", "secretBindingName", "kubernetes"];
    const seen = async () => Promise.all([...fields, "accessRestrictions"].map((field) => spec("old", field)));
    const before = await seen();
    const inputs = { ...inputsOf("old", "1.33.4"), adopt: live.metadata.uid!, instance: live.metadata.uid! };
    const { id, state } = await handler.create(context(), inputs);
    const made = await update({ id, inputs, state }, "1.33.4", { autoScalerMax: 6 }, live.metadata.uid);
    assert.equal(at(await spec("old", "provider", "workers", 0), "maximum"), 6);
    assert.deepEqual(await seen(), before);
    const upgraded = await update(made, "1.34.3", { autoScalerMax: 6 }, live.metadata.uid);
    assert.deepEqual(
      (await seen()).map((value) => JSON.stringify(value)),
      before.map((value) => JSON.stringify(value)?.replace("1.33.4", "1.34.3")),
    );
    assert.equal(await authentication("old"), undefined);
    await remove(upgraded);
    assert.ok(await garden.get({ apiVersion: "v1", kind: "ConfigMap", namespace, name }));
  });

  it("needs a CredentialsBinding from 1.34 on, also in a preview", async () => {
    const inputs = inputsOf("none", "1.34.3", {}, "cleanup");
    for (const preview of [true, false]) {
      await assert.rejects(
        handler.create(context({ preview }), inputs),
        /found no CredentialsBinding \S+\/cleanup; expected one with the cloud account, because Gardener takes no SecretBinding from Kubernetes 1\.34 on/,
      );
    }
    assert.equal(await authentication("none"), undefined);
  });
});
