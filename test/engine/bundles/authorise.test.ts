import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientRequest, IncomingMessage } from "node:http";
import https, { type RequestOptions } from "node:https";
import { dump, load, loadAll } from "js-yaml";
import { DEFINITION, POLICY, POLICY_BINDING } from "../../../bundles/approvals/definition";
import { findApprovals, installApprovals, writeApproval } from "../../../bundles/approvals/store";
import type { Approval } from "../../../bundles/approvals/approval";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { testKubeconfig } from "../manifests/yard";
import { World, type Files } from "./world";

type Done = (response: IncomingMessage) => void;
const RBAC = "rbac.authorization.k8s.io";
const object = (apiVersion: string, kind: string, name: string, more: object = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name },
  ...more,
});
const settings = (value: string) => object("v1", "ConfigMap", "settings", { data: { value } });
const role = (...verbs: string[]) =>
  object(`${RBAC}/v1`, "Role", "reader", { rules: [{ apiGroups: [""], resources: ["secrets"], verbs }] });

describe("a release with limited permissions", () => {
  let world: World;
  before(async () => {
    world = await new World(await testKubeconfig()).open();
    await installApprovals(world.client);
  });
  after(async () => {
    for (const { apiVersion, kind, metadata } of [DEFINITION, POLICY_BINDING, POLICY]) {
      await world.client.remove({ apiVersion, kind, name: metadata.name });
    }
    await world.close();
  });

  it("lists all permissions that its user lacks, changes nothing, and applies once they are granted", async () => {
    const user = `system:serviceaccount:${world.namespace}:deployer`;
    const release = world.release("limited", { as: user });
    const files: Files = { "a.yaml": [settings("1"), role("get")] };
    const text = await release.fails(files);
    assert.ok(
      text.startsWith(`${user} may not apply bundle ${world.namespace}/limited, and nothing was changed.`),
      text,
    );
    assert.deepEqual(await world.configMaps(), []);
    await assert.rejects(release.preview(files), /This gives exactly what is missing/);
    const roles = loadAll(text.slice(text.indexOf("\n") + 1)) as KubeObject[];
    assert.deepEqual(
      roles.map(({ kind }) => kind),
      ["Role", "RoleBinding"],
    );
    for (const one of roles) await world.client.apply(one);
    for (let tries = 0; ; tries++) {
      const error = await release.up(files).then(() => undefined, String);
      if (error === undefined) break;
      assert.ok(tries < 50, error);
      await sleep(100);
    }
    assert.deepEqual(await world.configMaps(), ["bundle-limited", "settings"]);
    const more = await release.fails({ "a.yaml": [settings("1"), role("get", "delete")] });
    assert.match(more, /resources:\n {6}- secrets\n {4}verbs:\n {6}- delete\n/);
  });

  describe("with a user to impersonate", () => {
    const own = https as { request: (options: RequestOptions, done: Done) => ClientRequest };
    const { request } = own;
    const spoken: string[] = [];
    before(() => {
      own.request = (options, done) => {
        const headers = options.headers as Record<string, string>;
        spoken.push(`${headers["impersonate-user"] ?? "myself"} ${options.method} ${options.path}`);
        return request(options, done);
      };
    });
    after(() => void (own.request = request));

    it("reads sources and approvals, refreshes, prunes and deletes as its user only", async () => {
      const name = `deployer-${world.namespace}`;
      const rules = [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }];
      const all = object(`${RBAC}/v1`, "ClusterRole", name, { rules });
      const binding = object(`${RBAC}/v1`, "ClusterRoleBinding", name, {
        roleRef: { apiGroup: RBAC, kind: "ClusterRole", name },
        subjects: [{ apiGroup: RBAC, kind: "User", name }],
      });
      for (const one of [all, binding]) await world.client.apply(one);
      const content = object("v1", "ConfigMap", "content", {
        data: { "b.yaml": dump(object("v1", "ConfigMap", "c")) },
      });
      await world.client.apply({ ...content, metadata: { name: "content", namespace: world.namespace } });
      const release = world.release("spoken", { as: name, approval: "more" });
      const more = {
        sources: [
          { type: "local", path: world.bundle("spoken", { "a.yaml": object("v1", "ConfigMap", "a") }) },
          { type: "configMaps", namespace: world.namespace, names: ["content"] },
        ],
      };
      await new Promise((resolve) => setTimeout(resolve, 500));
      spoken.splice(0);
      await release.preview({}, more);
      await release.up({}, more);
      await release.refresh();
      await release.up({ "a.yaml": object("v1", "ConfigMap", "b") });
      await release.down();
      assert.ok(spoken.length > 30, `${spoken.length} requests`);
      assert.deepEqual(
        spoken.filter((text) => !text.startsWith(`${name} `)),
        [],
      );
      for (const { apiVersion, kind, metadata } of [all, binding])
        await world.client.remove({ apiVersion, kind, name: metadata.name });
    });

    it("reports missing impersonation rights", async () => {
      const account = object("v1", "ServiceAccount", "nobody");
      await world.client.apply({ ...account, metadata: { name: "nobody", namespace: world.namespace } });
      const { body } = await world.client.connection.send({
        method: "POST",
        path: `/api/v1/namespaces/${world.namespace}/serviceaccounts/nobody/token`,
        body: JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} }),
        timeoutMs: 5_000,
      });
      const { token } = (JSON.parse(body) as { status: { token: string } }).status;
      const kubeconfig = load(world.kubeconfig) as { users: { user: object }[] };
      for (const one of kubeconfig.users) one.user = { token };
      const release = world.release("unspoken", { as: "somebody", kubeconfig: dump(kubeconfig) });
      const text = await release.fails({ "a.yaml": settings("1") });
      assert.match(text, /cannot impersonate.*requires the verb impersonate on that user/);
    });
  });

  describe("with approvals", () => {
    const files: Files = { "a.yaml": [{ ...role("get"), metadata: { name: "asking" } }] };
    const decide = async (name: string, decision: Approval["decision"]): Promise<void> => {
      const bundle = { name, namespace: world.namespace };
      const request = (await findApprovals(world.client, bundle)).findLast((one) => one.decision === "Requested");
      assert.ok(request);
      await writeApproval(world.client, { bundle, digest: request.digest, decision, asks: request.asks });
    };

    it("is not applied before an approval and prints the command to approve it", async () => {
      const release = world.release("asking", { approval: "more" });
      await release.preview(files);
      assert.match(world.said("warning"), /must be approved[^]*kubectl bundle approve asking -n/);
      const text = await release.fails(files);
      assert.match(
        text,
        /bundle bundle-\w+\/asking at sha256:\w{64} must be approved\. .*\n {2}Gives access to objects of other owners, or to the whole cluster:\n/,
      );
      assert.equal(await world.there("Role", "asking", `${RBAC}/v1`), undefined);
      assert.equal(await world.there("ConfigMap", "bundle-asking"), undefined);
    });

    it("applies approved content and content that requests no more; rejects more and denied content", async () => {
      const other = (name: string, ...verbs: string[]) => ({ ...role(...verbs), metadata: { name } });
      const release = world.release("approved", { approval: "more" });
      const first: Files = { "a.yaml": [other("one", "get", "list"), object("v1", "ConfigMap", "approved")] };
      await release.fails(first);
      await decide("approved", "Approved");
      await release.up(first);
      await release.up({
        "a.yaml": [other("one", "get"), object("v1", "ConfigMap", "approved", { data: { a: "2" } })],
      });
      assert.match(await release.fails({ "a.yaml": [other("one", "get", "delete")] }), /\n {6}delete secrets\n/);
      await decide("approved", "Denied");
      assert.match(await release.fails({ "a.yaml": [other("one", "get", "delete")] }), /was denied by kwok-admin$/);
      await release.down();
    });

    it("waits for an approval when configured to", async () => {
      const release = world.release("waiting", { approval: "always", awaitApproval: true });
      const up = release.up({ "a.yaml": [object("v1", "ConfigMap", "waited")] });
      for (
        let tries = 0;
        (await findApprovals(world.client, { name: "waiting", namespace: world.namespace })).length === 0;
        tries++
      ) {
        assert.ok(tries < 100);
        await sleep(50);
      }
      assert.equal(await world.there("ConfigMap", "waited"), undefined);
      await decide("waiting", "Approved");
      await up;
      assert.ok(await world.there("ConfigMap", "waited"));
    });
  });
});
