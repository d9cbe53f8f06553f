import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { requestId, toObject } from "../../../bundles/approvals/approval";
import { DEFINITION, POLICY, POLICY_BINDING } from "../../../bundles/approvals/definition";
import { gate, NotApproved } from "../../../bundles/approvals/gate";
import { installApprovals, writeApproval } from "../../../bundles/approvals/store";
import { asks as asksOf, NOTHING } from "../../../bundles/permissions/asks";
import type { Client } from "../../../kubernetes/client/client";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { bundleRelease } from "../../../provider/resources/bundleRelease/bundleRelease";
import { parentRef } from "../../../provider/resources/bundleRelease/applySet";
import { projectRoot } from "../../../toolchain/root";
import { testKubeconfig } from "../manifests/yard";
import { World } from "./world";

const run = promisify(execFile);
const RBAC = "rbac.authorization.k8s.io";
const digest = `sha256:${"a".repeat(64)}`;
const otherDigest = `sha256:${"c".repeat(64)}`;

describe("bundle approvals", () => {
  let world: World;
  let ci: Client;
  const made: KubeObject[] = [];
  const bundle = () => ({ name: "shop", namespace: world.namespace });

  const object = (apiVersion: string, kind: string, name: string, more: object): KubeObject => ({
    apiVersion,
    kind,
    metadata: { name },
    ...more,
  });
  const make = async (one: KubeObject): Promise<void> => void made.push(await world.client.apply(one));

  before(async () => {
    world = await new World(await testKubeconfig()).open();
    await installApprovals(world.client);
    // Who applies may read and ask.
    const name = `ci-${world.namespace}`;
    await make(
      object(`${RBAC}/v1`, "ClusterRole", name, {
        rules: [
          { apiGroups: ["stackyard.dev"], resources: ["bundleapprovals"], verbs: ["get", "list", "create", "patch"] },
        ],
      }),
    );
    await make(
      object(`${RBAC}/v1`, "ClusterRoleBinding", name, {
        roleRef: { apiGroup: RBAC, kind: "ClusterRole", name },
        subjects: [{ apiGroup: RBAC, kind: "User", name: "ci" }],
      }),
    );
    ci = world.client.as({ user: "ci" });
  });
  after(async () => {
    for (const { apiVersion, kind, metadata } of [...made, DEFINITION, POLICY_BINDING, POLICY]) {
      await world.client.remove({ apiVersion, kind, name: metadata.name });
    }
    await world.close();
  });

  /** Policies and rights work a moment after they are there. */
  async function until(work: () => Promise<unknown>, expected: RegExp): Promise<void> {
    for (let tries = 0; ; tries++) {
      const error = await work().then(() => undefined, String);
      if (error !== undefined && expected.test(error)) return;
      assert.ok(tries < 50, error ?? "it went well");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  it("can be requested only in the user's own name and cannot be changed afterwards", async () => {
    const asked = { bundle: bundle(), digest, decision: "Requested", asks: NOTHING } as const;
    const forged = toObject({ ...asked, by: "ada" }, new Date());
    await until(() => ci.apply(forged, { dryRun: true }), /spec\.by must be the user who makes the approval/);
    const own = toObject({ ...asked, by: "ci" }, new Date());
    await ci.apply(own);
    const spec = own["spec"] as object;
    await assert.rejects(ci.apply({ ...own, spec: { ...spec, digest: otherDigest } }), /spec can't be changed/);
  });

  it("can be granted only by users with the verb approve", async () => {
    const decision = { bundle: bundle(), digest, decision: "Approved", asks: NOTHING } as const;
    await assert.rejects(
      writeApproval(ci, decision),
      /approving, denying and .* requires the verb approve on bundleapprovals\.stackyard\.dev/,
    );
    assert.equal(
      (await writeApproval(world.client, { ...decision, bundle: { name: "other", namespace: world.namespace } }))
        .decision,
      "Approved",
    );
  });

  it("are requested by the user who applies the bundle and open the gate", async () => {
    const incoming = [{ object: object("scheduling.k8s.io/v1", "PriorityClass", "x", {}) }];
    const asks = asksOf(
      incoming.map((one) => one.object),
      world.namespace,
    );
    const enter = () =>
      gate(ci, bundle(), otherDigest, incoming, {
        otherwise: "fail",
        deadline: 0,
        signal: new AbortController().signal,
        log: () => undefined,
      });
    await assert.rejects(enter(), NotApproved);
    await writeApproval(world.client, {
      bundle: bundle(),
      digest: otherDigest,
      decision: "Approved",
      asks,
    });
    assert.equal((await enter())?.decision, "Approved");
  });

  it("do not open the gate while their policy is missing; an approval reinstalls the policy", async () => {
    const incoming = [{ object: object("scheduling.k8s.io/v1", "PriorityClass", "x", {}) }];
    const options = { deadline: 0, signal: new AbortController().signal, log: () => undefined };
    const enter = () => gate(ci, bundle(), otherDigest, incoming, { ...options, otherwise: "fail" });
    const { apiVersion, kind, metadata } = POLICY_BINDING;
    await world.client.remove({ apiVersion, kind, name: metadata.name });
    await until(enter, /approvals in this cluster are not protected/);
    await installApprovals(world.client);
    assert.equal((await enter())?.decision, "Approved");
  });

  it("can be removed only by users with the verb approve, and not through garbage collection", async () => {
    const client = world.client.as({ user: "eve" });
    const name = `eve-${world.namespace}`;
    const rules = [{ apiGroups: ["stackyard.dev"], resources: ["bundleapprovals"], verbs: ["patch", "delete", "get"] }];
    await make(object(`${RBAC}/v1`, "ClusterRole", name, { rules }));
    await make(
      object(`${RBAC}/v1`, "ClusterRoleBinding", name, {
        roleRef: { apiGroup: RBAC, kind: "ClusterRole", name },
        subjects: [{ apiGroup: RBAC, kind: "User", name: "eve" }],
      }),
    );
    const denied = toObject(
      {
        bundle: { name: "held", namespace: world.namespace },
        digest,
        decision: "Denied",
        asks: NOTHING,
        by: "kwok-admin",
      },
      new Date(),
    );
    await world.client.apply(denied);
    const ref = { apiVersion: denied.apiVersion, kind: denied.kind, name: denied.metadata.name };
    await until(() => client.remove(ref), /deleting decisions requires the verb approve/);
    const gone = { apiVersion: "v1", kind: "Namespace", name: "nowhere", uid: "00000000-0000-0000-0000-000000000000" };
    await assert.rejects(
      client.merge(ref, { metadata: { ownerReferences: [gone] } }),
      /an approval must not have owner references/,
    );
    await world.client.remove(ref);
  });

  describe("kubectl bundle", () => {
    const kubeconfig = () => path.join(world.folder, "kubeconfig");
    const bin = path.join(projectRoot(), "cli", "bin");
    const binding = () =>
      object(`${RBAC}/v1`, "RoleBinding", "reader", {
        roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: "view" },
        subjects: [{ kind: "ServiceAccount", name: "web" }],
      });
    const settings = (value: string) => object("v1", "ConfigMap", "settings", { data: { value } });

    /** By kubectl itself, which finds the plugin on PATH. */
    async function kubectl(...args: string[]): Promise<string> {
      const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env["PATH"]}`, KUBECONFIG: kubeconfig() };
      try {
        const { stdout } = await run("kubectl", ["bundle", ...args], { env });
        return stdout;
      } catch (error) {
        const { stdout, stderr } = error as { stdout?: string; stderr?: string };
        return `${stdout}${stderr}`;
      }
    }

    before(async () => {
      writeFileSync(kubeconfig(), world.kubeconfig);
      await world
        .release("web")
        .up({ "a.yaml": [settings("1"), object("v1", "Secret", "key", { stringData: { a: "hidden-1" } })] });
    });

    it("lists releases and open approval requests", async () => {
      assert.match(
        await kubectl("list", "-n", "nowhere"),
        /no bundles in namespace nowhere; --all-namespaces looks everywhere/,
      );
      const applied = new RegExp(
        `^NAMESPACE +NAME +DIGEST +DECISION +WAITING +AGE\n(.*\n)*${world.namespace} +web +sha256:\\w{12} +- +- +\\d+ (s|min)\n`,
      );
      assert.match(await kubectl("list", "-A"), applied);
    });

    it("prints JSON and YAML for programs", async () => {
      const [row] = JSON.parse(await kubectl("list", "-n", world.namespace, "-o", "json")) as { name: string }[];
      assert.equal(row?.name, "web");
      assert.equal(
        await kubectl("list", "-n", world.namespace, "--json"),
        await kubectl("list", "-n", world.namespace, "-ojson"),
      );
      assert.match(
        await kubectl("show", "web", "-n", world.namespace, "-o", "yaml"),
        /^name: web\n(.*\n)*objects:\n {2}- ConfigMap/,
      );
      assert.equal(await kubectl("history", "web", "-n", world.namespace, "-o", "yaml"), "[]\n");
      assert.match(await kubectl("list", "-o", "wide"), /-o, --output <format>.*Allowed choices are json, yaml/);
    });

    it("shows a release with its objects, and whether it is reconciled", async () => {
      const reconciled = {
        "stackyard.dev/reconcile": "disabled",
        "stackyard.dev/reconciled-at": "2026-01-02T03:04:05Z",
      };
      const note = parentRef({ name: "web", namespace: world.namespace });
      await world.client.merge(note, { metadata: { annotations: reconciled } });
      const text = await kubectl("show", "web", "-n", world.namespace);
      assert.match(
        text,
        new RegExp(
          `^bundle {4}${world.namespace}/web\ndigest {4}sha256:\\w{64}\ndecision {2}-\nsince.*\nrestored {2}2026-01-02T03:04:05Z\npaused `,
        ),
      );
      assert.match(
        text,
        new RegExp(`2 objects:\n {2}ConfigMap ${world.namespace}/settings\n {2}Secret ${world.namespace}/key\n$`),
      );
      assert.match(await kubectl("show", "wep", "-n", world.namespace), /no bundle wep in namespace .*; there is web/);
    });

    it("diffs requested permissions and added, changed and removed objects without secrets", async () => {
      const next = world.bundle("next", { "a.yaml": [settings("2"), binding()] });
      const text = await kubectl("diff", "web", next, "-n", world.namespace);
      assert.match(
        text,
        /^digest {2}sha256:\w{64} → sha256:\w{64}\n\nIt requests more than what was approved so far:\n {2}Permissions that it grants:\n/,
      );
      assert.match(text, /everything that ClusterRole view allows\n/);
      assert.match(
        text,
        new RegExp(`~ ConfigMap ${world.namespace}/settings \\(manifests/a\\.yaml:1\\)\n {4}data\\.value: "1" → "2"\n`),
      );
      assert.match(
        text,
        new RegExp(`\\+ RoleBinding ${world.namespace}/reader .*\n- Secret ${world.namespace}/key\n$`),
      );
      const other = world.bundle("other", {
        "a.yaml": [settings("1"), object("v1", "Secret", "key", { stringData: { a: "hidden-2" } })],
      });
      const secret = await kubectl("diff", "web", other, "-n", world.namespace);
      assert.match(secret, /data\.a: \(hidden\)/);
      assert.ok(!/hidden-|aGlkZGVu/.test(secret));
    });

    it("approves and denies, and lists both in the history", async () => {
      const next = world.bundle("next", { "a.yaml": [settings("2"), binding()] });
      assert.match(
        await kubectl("approve", "web", next, "-n", world.namespace),
        /It requests more than what was approved so far:\n(.*\n)+error: Approve bundle .* pass --yes/,
      );
      assert.match(
        await kubectl("approve", "web", "-n", world.namespace, "--yes"),
        /nothing was requested for bundle .*; name its source/,
      );
      assert.match(
        await kubectl("approve", "web", next, "--digest", digest, "-n", world.namespace, "--yes"),
        /the content has the digest sha256:\w+; expected sha256:a/,
      );
      const done = await kubectl("approve", "web", next, "-n", world.namespace, "--yes", "--reason", "seen");
      assert.match(done, new RegExp(`^bundle ${world.namespace}/web at sha256:\\w{64}: approved by kwok-admin\n$`));
      assert.match(await kubectl("deny", "web", next, "-n", world.namespace, "--yes"), /: denied by kwok-admin\n$/);
      const rows = (await kubectl("history", "web", "-n", world.namespace)).trimEnd().split("\n");
      assert.match(rows[0] ?? "", /^WHEN +DECISION +BY +DIGEST +REASON$/);
      assert.match(rows[1] ?? "", /Z +Approved +kwok-admin +sha256:\w{64} +seen$/);
      assert.match(rows[2] ?? "", /Z +Denied +kwok-admin +sha256:\w{64} +-$/);
    });

    it("approves a request without its sources and acts for another user where that is allowed", async () => {
      const asked = {
        bundle: { name: "new", namespace: world.namespace },
        digest,
        decision: "Requested",
        asks: { ...NOTHING, host: ["Pod a: path / of the node"] },
      } as const;
      await writeApproval(ci, asked);
      assert.match(await kubectl("list", "-n", world.namespace), /new +- +- +sha256:aaaaaaaaaaaa for ci +-\n/);
      assert.match(
        await kubectl("show", "new", "-n", world.namespace),
        /Request \w{12} for sha256:a+, by ci:\n {2}It requests more than what was approved so far:\n {4}Gives access to objects of other owners, or to the whole cluster:\n {6}Pod a: path \/ of the node\n {2}May approve it: .*Group system:masters/,
      );
      assert.match(
        await kubectl("approve", "new", "-n", world.namespace, "--digest", digest, "--yes", "--as", "ci"),
        /requires the verb approve/,
      );
      const unnamed = await kubectl("approve", "new", "-n", world.namespace, "--yes");
      assert.match(
        unnamed,
        /found --yes without the request that you read; expected --request \w{12} \(sha256:a+, by ci\)/,
      );
      // Another request for the same content: it is not clear which one was read.
      await writeApproval(ci, { ...asked, asks: { ...asked.asks, lifted: ["NetworkPolicy a/b: is removed"] } });
      const several = await kubectl("approve", "new", "-n", world.namespace, "--yes");
      assert.match(
        several,
        /has 2 open requests; name the one that you read:\n {2}--request \w{12} \(sha256:a+, by ci\)/,
      );
      const none = await kubectl("approve", "new", "-n", world.namespace, "--yes", "--request", "0123456789ab");
      assert.match(none, /no request 0123456789ab is open/);
      const request = requestId(asked);
      assert.match(
        await kubectl("approve", "new", "-n", world.namespace, "--yes", "--request", request),
        /approved by kwok-admin/,
      );
      assert.ok(!(await kubectl("list", "-n", world.namespace)).includes(" new "));
      const denied = await kubectl("deny", "new", "-n", world.namespace, "--digest", digest, "--yes", "--reason", "no");
      assert.match(denied, /sha256:a+: denied by kwok-admin/);
    });
  });

  // After the tests that list bundles.
  describe("of content whose source or cache changes later", () => {
    it("let only that content be applied", async () => {
      const files = (value: string) => ({ "a.yaml": object("v1", "ConfigMap", "moving", { data: { value } }) });
      const release = world.release("moving", { approval: "always" });
      const value = async (): Promise<unknown> => (await world.there("ConfigMap", "moving"))?.["data"];
      assert.match(await release.fails(files("1")), /must be approved/);
      const content = await release.check(files("1"));
      await writeApproval(world.client, {
        ...{ bundle: { name: "moving", namespace: world.namespace }, digest: content.digest },
        ...{ decision: "Approved", asks: NOTHING },
      });
      assert.match(await release.fails(files("2")), /must be approved/);
      // Between the check and the update, the cache still has what was approved.
      world.bundle("moving", files("2"));
      const { id, state } = await bundleRelease.create(release.context(), content);
      assert.deepEqual(await value(), { value: "1" });
      Object.assign(release, { id, state, inputs: content });
      // A cache that was changed on the disk is not believed, and the source has other content now.
      const cache = path.join(world.folder, "cache");
      for (const file of readdirSync(cache, { recursive: true, withFileTypes: true }))
        if (file.isFile()) {
          const name = path.join(file.parentPath, file.name);
          writeFileSync(name, readFileSync(name).toString("latin1").replaceAll("moving", "moved!"), "latin1");
        }
      await world.client.merge(world.ref("v1", "ConfigMap", "moving"), { data: { value: "0" } });
      assert.match(await release.fails(files("2"), { digest: content.digest }), /digest|content/);
      assert.deepEqual(await value(), { value: "0" });
      await release.down();
    });
  });
});
