import assert from "node:assert/strict";
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

  async function configure(more: object = {}, settings: object = {}, connection: object = {}): Promise<void> {
    const spec = { namespace: "runtimes", host: "http://*.runtimes.localhost", image: "example/runtime" };
    await world.configure("platform", world.tag, "stackyard", {
      cluster: { type: "existing", kubeconfig: { path: world.place.kubeconfig } },
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
  const up = () => must("up", "--yes", "--skip-preview");
  const settled = () => must("preview", "--expect-no-changes", "--diff");
  const get = (...args: string[]) => world.get("-n", namespace, ...args);
  const can = (account: string, ...what: string[]): Promise<string> =>
    world.kubectl("auth", "can-i", ...what, "-n", namespace, `--as=system:serviceaccount:${namespace}:${account}`).then(
      (text) => text.trim(),
      () => "no",
    );

  it("comes up ready, and has nothing to do afterwards", async () => {
    await configure();
    await must("preview");
    await up();
    assert.equal((await get("deployment", "acme-master")).status.readyReplicas, 1);
    assert.equal((await get("pvc", "acme-assets")).status.phase, "Bound");
    const outputs = JSON.parse(await must("stack", "output", "--json")) as { teraslice: { url: string } };
    assert.equal(outputs.teraslice.url, `http://acme-master.${namespace}.svc:5678`);
    await settled();
  });

  it("lets the master do what it must, and nothing else; pods of jobs can do nothing", async () => {
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

  it("gets a new pod when its configuration changes, and the same objects otherwise", async () => {
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

  it("takes secrets from a Secret, none of which is in a ConfigMap or in the state", async () => {
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
    // What jobs are told to have is legal in the pods that a master makes.
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

  it("warns in preview of rights that are broad, and gives them when told to", async () => {
    await configure({ rbac: "original" });
    assert.match(await must("preview"), /rbac is original, which is broad/);
    await up();
    assert.equal(await can("default", "get", "secrets"), "yes");
    assert.equal((await get("deployment", "acme-master")).spec.template.spec.serviceAccountName, "default");
    const left = await world.kubectl("get", "role,rolebinding,serviceaccount", "-n", namespace, "-o", "name");
    assert.ok(!left.includes("master"), left);
    await settled();
  });

  it("has another name when it is told to, never two masters at a time", async () => {
    await configure({ service: { type: "NodePort", nodePort: 30678 } });
    await up();
    await configure({ service: { type: "NodePort", nodePort: 30678 } }, { name: "beta" });
    await up();
    const left = await world.kubectl("get", "deployment,service,configmap,role", "-n", namespace, "-o", "name");
    assert.ok(left.includes("beta-worker") && !left.includes("acme"), left);
    await settled();
  });

  it("says why its master is not ready, and goes on from there", async () => {
    await configure({ timeoutSeconds: 5, image: "example/teraslice:missing" });
    const { ok, text } = await run("up", "--yes", "--skip-preview");
    assert.ok(!ok, text);
    assert.match(text, /acme-master[^]*ImagePullBackOff/);
    await configure();
    await up();
    await settled();
  });

  it("says what goes when it is turned off, and leaves nothing", async () => {
    await configure({ enabled: false });
    assert.match(
      await must("preview"),
      new RegExp(`teraslice is turned off: its jobs end, and the namespace ${namespace} goes`),
    );
    await up();
    await assert.rejects(world.get("namespace", namespace), /NotFound/);
    await must("destroy", "--yes", "--skip-preview");
  });

  it("leaves a namespace that was there, and nothing of its own in it", async () => {
    await world.kubectl("create", "namespace", namespace);
    await configure({ createNamespace: false });
    await up();
    await must("destroy", "--yes", "--skip-preview");
    const kinds = "deployments,pods,services,configmaps,serviceaccounts,roles,rolebindings,networkpolicies,pdb,pvc";
    const left = await world.kubectl("get", kinds, "-n", namespace, "-o", "name");
    assert.deepEqual(left.trim().split("\n").sort(), ["configmap/kube-root-ca.crt", "serviceaccount/default"]);
  });
});
