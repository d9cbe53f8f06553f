import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { testYard } from "../runtime/yard";
import { World, type Ended } from "../runtime/world";

describe("Teraslice on a cluster", () => {
  let world: World;
  let namespace: string;

  before(async () => {
    world = new World(await testYard());
    namespace = `ts-${world.tag}`;
  });
  after(async () => {
    await world.kubectl("delete", "namespace", namespace, "--ignore-not-found", "--wait=false");
    world.remove();
  });

  const search = (more: object = {}) => ({ default: { node: ["http://opensearch.search.svc:9200"], ...more } });
  const password = { username: "tera", password: { secret: "search", key: "password" } };

  async function configure(
    more: object = {},
    settings: object = {},
    connection: object = {},
    kubeconfig = world.place.kubeconfig,
  ): Promise<void> {
    const spec = { namespace: "runtimes", host: "http://*.runtimes.localhost", image: "example/runtime" };
    await world.configure("platform", world.tag, "stackyard", {
      cluster: { type: "existing", kubeconfig: { path: kubeconfig } },
      provisioners: { only: { type: "kubernetes", spec } },
      defaultProvisioner: "only",
      teraslice: {
        image: "example/teraslice:1",
        createNamespace: true,
        timeoutSeconds: 60,
        assetsClaim: { sizeGb: 1 },
        settings: { name: "acme", kubernetes_namespace: namespace, ...settings },
        terafoundation: { connectors: { "elasticsearch-next": search(connection) } },
        ...more,
      },
    });
  }
  const run = (...args: string[]): Promise<Ended> => world.pulumi("platform", ...args, "-s", world.tag);
  async function must(...args: string[]): Promise<string> {
    const { ok, text } = await run(...args);
    assert.ok(ok, text);
    return text;
  }
  /** Runs the commands that a refusal names. */
  async function allowWhatItSays(text: string): Promise<void> {
    const commands = [...text.matchAll(/^ *pulumi (config set --stack .*)$/gm)].map(([, command = ""]) => command);
    assert.ok(commands.length > 0, text);
    for (const command of commands) {
      await world.must("platform", ...command.split(" ").map((part) => part.replaceAll("'", "")));
    }
  }
  const up = () => must("up", "--yes", "--skip-preview");
  const settled = () => must("preview", "--expect-no-changes", "--diff");
  const get = (...args: string[]) => world.get("-n", namespace, ...args);
  const can = (account: string, ...what: string[]): Promise<string> =>
    world.kubectl("auth", "can-i", ...what, "-n", namespace, `--as=system:serviceaccount:${namespace}:${account}`).then(
      (text) => text.trim(),
      () => "no",
    );

  it("becomes ready and shows no changes afterwards", async () => {
    await configure();
    await must("preview");
    await up();
    assert.equal((await get("deployment", "acme-master")).status.readyReplicas, 1);
    assert.equal((await get("pvc", "acme-assets")).status.phase, "Bound");
    const outputs = JSON.parse(await must("stack", "output", "--json")) as { teraslice: { url: string } };
    assert.equal(outputs.teraslice.url, `http://acme-master.${namespace}.svc:5678`);
    await settled();
  });

  it("grants the master minimal permissions and none to the pods of jobs", async () => {
    const asked = [
      ["create", "jobs.batch"],
      ["patch", "deployments.apps"],
      ["delete", "services"],
      ["list", "pods"],
      ["watch", "pods"],
      ["get", "secrets"],
      ["create", "roles.rbac.authorization.k8s.io"],
    ];
    const answers = await Promise.all(asked.map((what) => can("acme-master", ...what)));
    assert.deepEqual(answers, ["yes", "yes", "yes", "yes", "no", "no", "no"]);
    assert.equal(await can("default", "list", "pods"), "no");
  });

  it("replaces only the pod when its configuration changes", async () => {
    const pods = async () => (await get("pods", "-l", "app.kubernetes.io/component=master")).items!;
    const [before] = await pods();
    const { uid } = (await get("service", "acme-master")).metadata;
    await configure({}, { kubernetes_worker_antiaffinity: true });
    const preview = await must("preview", "--diff");
    assert.match(preview, /checksum\/config-master/);
    await up();
    const [after, ...more] = await pods();
    assert.equal(more.length, 0);
    assert.notEqual(after!.metadata.uid, before!.metadata.uid);
    assert.equal((await get("service", "acme-master")).metadata.uid, uid);
    await settled();
  });

  it("keeps its assets under another cluster address and rejects a namespace change that deletes them", async () => {
    const antiaffinity = { kubernetes_worker_antiaffinity: true };
    const { uid } = (await get("pvc", "acme-assets")).metadata;
    const file = path.join(world.folder, "other-kubeconfig");
    const text = readFileSync(world.place.kubeconfig, "utf8");
    writeFileSync(file, text.replace("https://127.0.0.1:", "https://localhost:"));
    await configure({}, antiaffinity, {}, file);
    assert.doesNotMatch(await up(), /replaced|deleted|created/);
    await configure({}, { ...antiaffinity, kubernetes_namespace: `${namespace}-next` }, {}, file);
    for (const command of [["preview"], ["up", "--yes", "--skip-preview"], ["up", "--yes"]]) {
      const refused = await run(...command);
      assert.ok(!refused.ok, refused.text);
      assert.match(refused.text, new RegExp(`would delete a claim[^]*- ${namespace}/acme-assets \\(1 GiB`));
    }
    await configure({}, antiaffinity);
    assert.doesNotMatch(await up(), /replaced|deleted|created/);
    const { metadata } = await get("pvc", "acme-assets");
    assert.equal(metadata.uid, uid);
    assert.ok(!("deletionTimestamp" in metadata), "it goes as soon as no pod uses it");
    assert.equal((await get("deployment", "acme-master")).status.readyReplicas, 1);
    await settled();
  });

  it("reads secrets from a Secret and keeps them out of ConfigMaps and state", async () => {
    await world.kubectl("create", "secret", "generic", "search", "-n", namespace, "--from-literal=password=hunter2");
    await configure({}, {}, password);
    await up();
    const { initContainers } = (await get("deployment", "acme-master")).spec.template.spec as {
      initContainers: { env: { valueFrom: object }[] }[];
    };
    assert.deepEqual(initContainers[0]?.env[1]?.valueFrom, { secretKeyRef: { name: "search", key: "password" } });
    const maps = await world.kubectl("get", "configmaps", "-n", namespace, "-o", "json");
    assert.doesNotMatch(maps + (await must("stack", "export", "--show-secrets")), /hunter2/);
    await settled();
    // What jobs are configured to have is legal in the pods that a master makes.
    const { teraslice } = JSON.parse(await must("stack", "output", "--json")) as {
      teraslice: { podSpecOverride: { initContainers: object[] } };
    };
    const { initContainers: writers } = teraslice.podSpecOverride;
    const containers = [
      { name: "worker", image: "example/teraslice:1", volumeMounts: [{ name: "config", mountPath: "/app/config" }] },
    ];
    const volumes = [{ name: "config", configMap: null, emptyDir: { medium: "Memory" } }];
    await world.apply(namespace, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "worker" },
      spec: { initContainers: writers, containers, volumes },
    });
  });

  it("warns about broad permissions in a preview and grants them when instructed to", async () => {
    await configure({ rbac: "original" });
    assert.match(await must("preview"), /rbac is original, which is broad/);
    await up();
    assert.equal(await can("default", "get", "secrets"), "yes");
    assert.equal((await get("deployment", "acme-master")).spec.template.spec.serviceAccountName, "default");
    const left = await world.kubectl("get", "role,rolebinding,serviceaccount", "-n", namespace, "-o", "name");
    assert.ok(!left.includes("master"), left);
    await settled();
  });

  it("is renamed when its assets may be deleted, and never has two masters at a time", async () => {
    await configure({ service: { type: "NodePort", nodePort: 30678 } });
    await up();
    await configure({ service: { type: "NodePort", nodePort: 30678 } }, { name: "beta" });
    const refused = await run("preview");
    assert.ok(
      !refused.ok && /replacing it would delete a claim[^]*acme-assets \(1 GiB/.test(refused.text),
      refused.text,
    );
    await allowWhatItSays(refused.text);
    await up();
    const left = await world.kubectl("get", "deployment,service,configmap,role", "-n", namespace, "-o", "name");
    assert.ok(left.includes("beta-worker") && !left.includes("acme"), left);
    await settled();
  });

  it("reports why its master is not ready and continues once fixed", async () => {
    await configure({ timeoutSeconds: 5, image: "example/teraslice:missing" }, { name: "beta" });
    const { ok, text } = await run("up", "--yes", "--skip-preview");
    assert.ok(!ok, text);
    assert.match(text, /beta-master[^]*ImagePullBackOff/);
    await configure({}, { name: "beta" });
    await up();
    await settled();
  });

  it("keeps the claims in its namespace when disabled or destroyed until they are allowed by name", async () => {
    await world.apply(namespace, {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "of-others" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "2Gi" } } },
    });
    const claims = new RegExp(`- ${namespace}/beta-assets \\(1 GiB.*\n +- ${namespace}/of-others \\(2 GiB`);
    const { uid } = (await get("pvc", "beta-assets")).metadata;
    const destroyed = await run("destroy", "--yes", "--skip-preview");
    assert.ok(!destroyed.ok && claims.test(destroyed.text), destroyed.text);
    assert.equal((await get("deployment", "beta-master")).status.readyReplicas, 1, "it was destroyed in part");

    await configure({ enabled: false });
    const previewed = await run("preview");
    assert.ok(!previewed.ok && claims.test(previewed.text), previewed.text);
    assert.match(
      previewed.text,
      new RegExp(
        `teraslice is disabled: its jobs end, and the namespace ${namespace} is deleted with everything in it`,
      ),
    );
    const upped = await run("up", "--yes", "--skip-preview");
    assert.ok(!upped.ok && claims.test(upped.text), upped.text);
    assert.equal((await get("pvc", "beta-assets")).metadata.uid, uid);

    await allowWhatItSays(upped.text);
    await up();
    await assert.rejects(world.get("namespace", namespace), /NotFound/);
    assert.match(
      await must("preview"),
      /stackyard:allowDataLoss: \S+\/of-others names no claim; correct it, or remove it/,
    );
    await must("destroy", "--yes", "--skip-preview");
  });

  it("keeps a namespace that it did not create and leaves nothing in it", async () => {
    await world.kubectl("create", "namespace", namespace);
    await configure({ createNamespace: false });
    await up();
    await allowWhatItSays((await run("destroy", "--yes", "--skip-preview")).text);
    await must("destroy", "--yes", "--skip-preview");
    const kinds = "deployments,pods,services,configmaps,serviceaccounts,roles,rolebindings,networkpolicies,pdb,pvc";
    const left = await world.kubectl("get", kinds, "-n", namespace, "-o", "name");
    assert.deepEqual(left.trim().split("\n").sort(), ["configmap/kube-root-ca.crt", "serviceaccount/default"]);
  });
});
