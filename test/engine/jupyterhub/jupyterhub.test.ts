import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import type { KubernetesObject } from "../runtime/world";
import { CLIENT_SECRET, HubWorld } from "./hub";

const CLAIM = (name: string) => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
});

const run = promisify(execFile);
const STACKYARD = path.join(__dirname, "../../../cli/bin/stackyard");

describe("JupyterHub on a cluster", function () {
  let hub: HubWorld;

  before(async () => {
    hub = await HubWorld.create();
  });
  after(() => hub.end());

  const get = (...args: string[]): Promise<KubernetesObject> => hub.world.get("-n", hub.namespace, ...args);
  const dataOf = async (secret: string): Promise<Record<string, string>> => {
    const { data } = (await get("secret", secret)) as unknown as { data: Record<string, string> };
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value, "base64").toString()]),
    );
  };
  const uidOf = async (kind: string, name: string): Promise<string> => (await get(kind, name)).metadata.uid;
  const settled = async (): Promise<void> => {
    const { ok, text } = await hub.preview("--expect-no-changes", "--diff");
    assert.ok(ok, text);
  };
  /** What Helm keeps of its releases, readable. */
  const releases = async (): Promise<string> => {
    const { items = [] } = await get("secrets", "-l", "owner=helm");
    const texts = items.map((item) => {
      const { release = "" } = (item as unknown as { data: Record<string, string> }).data;
      return gunzipSync(Buffer.from(Buffer.from(release, "base64").toString(), "base64")).toString();
    });
    return texts.join("\n");
  };

  it("is installed from the locked chart with its secrets only in one Secret", async () => {
    await hub.configure();
    const text = await hub.mustUp();
    assert.match(text, /jupyterhub *: "https:\/\/hub\.example\.com\/"/);
    assert.equal((await get("deployment", "hub")).status.readyReplicas, 1);
    assert.equal((await get("deployment", "proxy")).status.readyReplicas, 1);
    await get("serviceaccount", "kubespawner");

    const data = await dataOf("jupyterhub-stackyard");
    assert.match(data["values.yaml"] ?? "", new RegExp(`client_secret: ${CLIENT_SECRET}`));
    assert.match(data["hub.config.JupyterHub.cookie_secret"] ?? "", /^[0-9a-f]{64}$/);
    const helm = await releases();
    assert.match(helm, /oauth_callback_url/, "that is where values would be");
    const state = await hub.world.must("platform", "stack", "export", "-s", hub.stack);
    for (const secret of [CLIENT_SECRET, Buffer.from(CLIENT_SECRET).toString("base64"), ...Object.values(data)]) {
      for (const [place, content] of Object.entries({ text, helm, state })) {
        assert.ok(!content.includes(secret), `${place} shows a secret`);
      }
    }
    await hub.world
      .kubectl("auth", "can-i", "get", "pods", `--as=system:serviceaccount:${hub.namespace}:kubespawner`)
      .then(
        () => assert.fail("notebooks have rights in Kubernetes"),
        () => undefined,
      );
  });

  it("rejects a second release of the same name in the preview", async () => {
    const { world, namespace } = hub;
    const stack = `second-${world.tag}`;
    const refused = async (config: Record<string, unknown>, expected: string): Promise<void> => {
      await hub.configure(config, {}, undefined, stack);
      const { ok, text } = await world.pulumi("platform", "preview", "-s", stack);
      assert.ok(!ok && text.replaceAll(/\s+/g, " ").includes(expected), text);
    };
    await refused(
      {},
      `stackyard:jupyterhub: found a Helm release jupyterhub in namespace ${namespace}, which belongs to stack stackyard/${hub.stack} in `,
    );
    await refused({}, `(to take it over: stackyard adopt ${namespace}/jupyterhub-secret --stack ${stack}); expected`);
    const elsewhere = { namespace: `${namespace}-2` };
    const found = `ClusterRole jupyterhub-user-scheduler of the Helm release jupyterhub in namespace ${namespace}`;
    await refused(elsewhere, `stackyard:jupyterhub: found ${found}; expected a namespace and a releaseName of its own`);
    await hub.configure({ ...elsewhere, releaseName: `lab-${world.tag}` }, {}, undefined, stack);
    await world.must("platform", "preview", "-s", stack);
  });

  it("keeps its objects and its release when the cluster's address changes", async () => {
    await hub.world.apply(hub.namespace, CLAIM("claim-ann"));
    const uids = () => Promise.all([uidOf("deployment", "hub"), uidOf("pvc", "hub-db-dir"), uidOf("pvc", "claim-ann")]);
    const before = await uids();
    const file = path.join(hub.world.folder, "other-kubeconfig");
    const text = readFileSync(hub.world.place.kubeconfig, "utf8");
    writeFileSync(file, text.replace("https://127.0.0.1:", "https://localhost:"));
    await hub.configure({}, {}, file);
    assert.doesNotMatch(await hub.mustUp(), /replaced|deleted|created/);
    await hub.configure();
    assert.doesNotMatch(await hub.mustUp(), /replaced|deleted|created/);
    assert.deepEqual(await uids(), before);
  });

  it("shows no changes afterwards, without network on this machine and on another machine", async () => {
    const asked = hub.repository.requests.length;
    await settled();
    assert.equal(hub.repository.requests.length, asked);
    hub.forgetCharts();
    await settled();
    assert.ok(hub.repository.requests.length > asked, "the other machine had to fetch the chart");
  });

  it("is not skipped when its chart becomes unavailable", async () => {
    await hub.configure({ optional: true }, { mirror: "http://127.0.0.1:9/charts" });
    hub.forgetCharts();
    const { ok, text } = await hub.preview();
    assert.ok(!ok && /it is running, and skipping it would remove it/.test(text), text);
  });

  it("keeps its tokens and its users' volumes on an update", async () => {
    const before = await dataOf("jupyterhub-stackyard");
    const [volume, database, pod] = [
      await uidOf("pvc", "claim-ann"),
      await uidOf("pvc", "hub-db-dir"),
      (await get("deployment", "hub")).spec.template.metadata.annotations as unknown,
    ];
    await hub.configure({
      profiles: { small: { displayName: "Small", cpu: 1 }, large: { displayName: "Large", cpu: 8, default: true } },
      values: { hub: { extraEnv: { MINE: "kept" } } },
    });
    await hub.mustUp();
    assert.deepEqual(await dataOf("jupyterhub-stackyard"), before);
    assert.deepEqual([await uidOf("pvc", "claim-ann"), await uidOf("pvc", "hub-db-dir")], [volume, database]);
    const values = (await dataOf("hub"))["values.yaml"] ?? "";
    assert.match(values, /MINE: kept/);
    assert.match(values, /display_name: Large/);
    assert.notDeepEqual((await get("deployment", "hub")).spec.template.metadata.annotations, pod);
    await settled();
  });

  it("pulls new images with the chart's hooks before an upgrade and removes the hooks' objects", async () => {
    const ran = async (): Promise<boolean> => {
      const { items = [] } = await get("events", "--field-selector=involvedObject.name=hook-image-awaiter");
      return items.some((event) => (event as unknown as { reason: string }).reason === "Completed");
    };
    assert.ok(!(await ran()), "nobody wanted it so far");
    await hub.configure({ prePull: { onUpgrade: true }, image: "quay.io/jupyter/base-notebook:2026-01-05" });
    await hub.mustUp();
    assert.ok(await ran());
    const kinds = "daemonset,job,role,rolebinding,serviceaccount";
    const { items = [] } = await get(kinds, "-l", "hub.jupyter.org/deletable=true");
    assert.deepEqual(items, []);
    await settled();
  });

  it("keeps the previous release after a failed update and continues from there", async () => {
    const image = { name: "quay.io/jupyterhub/k8s-hub", tag: "missing" };
    await hub.configure({ timeoutSeconds: 15, values: { hub: { image } } });
    const { ok, text } = await hub.up();
    assert.ok(!ok, text);
    const { containers } = (await get("deployment", "hub")).spec.template.spec as { containers: { image: string }[] };
    assert.equal(containers[0]?.image, "quay.io/jupyterhub/k8s-hub:4.4.0");
    await hub.configure();
    await hub.mustUp();
    assert.equal((await get("deployment", "hub")).status.readyReplicas, 1);
    await settled();
  });

  it("reports what is deleted on disabling, and reuses kept volumes when enabled again", async () => {
    const volumes = [await uidOf("pvc", "claim-ann"), await uidOf("pvc", "hub-db-dir")];
    await hub.configure({ enabled: false });
    const said = (await hub.preview()).text;
    assert.match(said, /stackyard:jupyterhub is disabled: running notebooks are stopped.*users' disks/);
    await hub.mustUp();
    assert.deepEqual(
      (await get("deployments,services,serviceaccounts")).items?.map(({ metadata }) => metadata.name),
      ["default"],
    );
    await hub.configure();
    await hub.mustUp();
    assert.deepEqual([await uidOf("pvc", "claim-ann"), await uidOf("pvc", "hub-db-dir")], volumes);
  });

  it("deletes claims only with userVolumes: delete and after they are allowed by name", async () => {
    const claims = [await uidOf("pvc", "claim-ann"), await uidOf("pvc", "hub-db-dir")];
    await hub.configure({ userVolumes: "delete" });
    await hub.mustUp();
    const named = /would delete claims[^]*\/claim-ann \(1 GiB[^]*\/hub-db-dir \(/;
    const destroyed = await hub.world.pulumi("platform", "destroy", "-s", hub.stack, "--yes", "--skip-preview");
    assert.ok(!destroyed.ok && named.test(destroyed.text), destroyed.text);
    assert.equal((await get("deployment", "hub")).status.readyReplicas, 1, "it was destroyed in part");
    for (const change of [{ enabled: false }, { userVolumes: "delete", namespace: `${hub.namespace}-next` }]) {
      await hub.configure(change);
      const previewed = await hub.preview();
      assert.ok(!previewed.ok && named.test(previewed.text), previewed.text);
    }
    assert.deepEqual([await uidOf("pvc", "claim-ann"), await uidOf("pvc", "hub-db-dir")], claims);
    await hub.configure({ userVolumes: "delete" });
    await hub.allow(`${hub.namespace}/*`);
    await hub.world.must("platform", "destroy", "-s", hub.stack, "--yes", "--skip-preview");
    const left = await hub.world.kubectl("get", "namespace", hub.namespace, "--ignore-not-found");
    assert.equal(left, "");
  });

  it("leaves no release when the first install fails, and is installed once fixed", async () => {
    const image = { name: "quay.io/jupyterhub/k8s-hub", tag: "missing" };
    await hub.configure({ timeoutSeconds: 15, values: { hub: { image } } });
    const { ok, text } = await hub.up();
    assert.ok(!ok, text);
    assert.deepEqual((await get("deployments,services")).items, []);
    await hub.configure();
    await hub.mustUp();
    await settled();
  });

  it("moves to another namespace with its cluster-scoped names and keeps the old volumes", async () => {
    const database = await uidOf("pvc", "hub-db-dir");
    const role = ["clusterrole", "jupyterhub-user-scheduler"] as const;
    const before = (await hub.world.get(...role)).metadata.uid;
    const namespace = `${hub.namespace}-next`;
    await hub.configure({ namespace });
    await hub.mustUp();
    assert.notEqual((await hub.world.get(...role)).metadata.uid, before);
    assert.equal((await hub.world.get("-n", namespace, "deployment", "hub")).status.readyReplicas, 1);
    assert.deepEqual((await get("deployments,services")).items, []);
    assert.equal(await uidOf("pvc", "hub-db-dir"), database);
    await hub.configure({ namespace, userVolumes: "delete" });
    await hub.mustUp();
    await hub.allow(`${namespace}/*`);
    await hub.world.kubectl("delete", "namespace", hub.namespace, "--wait=false");
    await hub.world.must("platform", "destroy", "-s", hub.stack, "--yes", "--skip-preview");
  });

  it("passes to another stack with its objects by one command", async () => {
    const { world, namespace } = hub;
    await hub.configure();
    await hub.mustUp();
    const uids = () =>
      Promise.all([uidOf("deployment", "hub"), uidOf("pvc", "hub-db-dir"), uidOf("deployment", "proxy")]);
    const before = await uids();
    const stack = `third-${world.tag}`;
    await hub.configure({}, {}, undefined, stack);
    const { kubeconfig } = world.place;
    const adopt = ["adopt", `${namespace}/jupyterhub-secret`, "--stack", stack, "--kubeconfig", kubeconfig, "--yes"];
    const { folder, env } = world.surroundings("platform");
    await run(STACKYARD, adopt, { env: { ...env, STACKYARD_PROJECT: folder } });
    await world.must("platform", "up", "-s", stack, "--yes", "--skip-preview");
    await world.must("platform", "preview", "-s", stack, "--expect-no-changes");
    assert.deepEqual(await uids(), before);
    for (const verb of ["up", "destroy"]) {
      const { ok, text } = await world.pulumi("platform", verb, "-s", hub.stack, "--yes", "--skip-preview");
      assert.ok(!ok && /Helm release \S+\/jupyterhub belongs to /.test(text.replaceAll(/\s+/g, " ")), text);
    }
    assert.deepEqual(await uids(), before);
    await world.must("platform", "destroy", "-s", stack, "--yes", "--skip-preview");
    await world.must("platform", "state", "delete", "--all", "-s", hub.stack, "--yes");
  });

  it("is skipped with a note if it is optional and its chart is unavailable", async () => {
    await hub.configure({ optional: true }, { mirror: "http://127.0.0.1:9/charts" });
    hub.forgetCharts();
    const text = await hub.mustUp();
    assert.match(text, /warning: stackyard:jupyterhub is skipped, because it is optional and the chart jupyterhub/);
    assert.match(text, /skipped *: \{\s+jupyterhub: "the chart jupyterhub 4/);
    await settled();
    await hub.configure({ optional: false }, { mirror: "http://127.0.0.1:9/charts" });
    const refused = await hub.up();
    assert.ok(!refused.ok && /nothing was changed/.test(refused.text), refused.text);
    await hub.world.must("platform", "destroy", "-s", hub.stack, "--yes", "--skip-preview");
  });
});
