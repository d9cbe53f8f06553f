import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { renderLock } from "../../../components/charts/lock";
import { CHARTS } from "../../../components/charts/table";
import { connect } from "../../../kubernetes/connect/connect";
import { ChartRepository, packDouble, sha256 } from "../../doubles/chartRepository";
import { RayJobsDouble } from "../../doubles/rayJobs";
import { RayOperator } from "../../doubles/rayOperator/rayOperator";
import { addressOfMachine, giveAddress } from "../runtime/behindService";
import { testYard } from "../runtime/yard";
import { World, type Ended } from "../runtime/world";

const service = (name: string, spec: object) => ({ apiVersion: "v1", kind: "Service", metadata: { name }, spec });
const small = { cpu: 1, memoryGb: 1 };
const base = { pool: "", reservedCpu: 0, head: small, timeoutSeconds: 60 };
const workers = (more: object) => ({ workerGroups: { worker: { ...small, ...more } } });

describe("Ray on a cluster", () => {
  let world: World;
  let repository: ChartRepository;
  let namespace: string;
  let lockFile: string;

  before(async () => {
    world = new World(await testYard());
    namespace = `ray-${world.tag}`;
    const archive = await packDouble("kuberay-operator");
    repository = await new ChartRepository({ "kuberay-operator": archive }).start();
    world.setEnv("XDG_CACHE_HOME", path.join(world.folder, "cache"));
    lockFile = path.join(world.folder, "lock.yaml");
    const entry = { version: CHARTS["kuberay-operator"].version, digest: sha256(archive) };
    writeFileSync(lockFile, renderLock({ "kuberay-operator": entry }));
  });
  after(async () => {
    await world.kubectl("delete", "namespace", namespace, "kuberay-operator", "--ignore-not-found", "--wait=false");
    await repository.stop();
    world.remove();
  });

  async function configure(ray: Readonly<Record<string, object>>): Promise<void> {
    const spec = { namespace: "runtimes", host: "http://*.runtimes.localhost", image: "example/runtime" };
    await world.configure("platform", world.tag, "stackyard", {
      cluster: { type: "existing", kubeconfig: { path: world.place.kubeconfig } },
      provisioners: { only: { type: "kubernetes", spec } },
      defaultProvisioner: "only",
      charts: { mirror: repository.url, lock: "required", lockFile },
      ray: Object.fromEntries(
        Object.entries(ray).map(([name, cluster]) => [name, { mode: "static", namespace, ...base, ...cluster }]),
      ),
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
  const names = async (kind: string) => (await get(kind)).items!.map(({ metadata }) => metadata.name).sort();

  it("deploys two static clusters and shows no changes afterwards", async () => {
    await configure({ one: workers({ replicas: 2 }), two: workers({ replicas: 0 }) });
    await must("preview");
    await up();
    assert.equal((await get("deployment", "one-ray-head")).status.readyReplicas, 1);
    assert.equal((await get("deployment", "one-ray-worker")).status.readyReplicas, 2);
    const text = await must("stack", "output", "--json");
    const { ray } = JSON.parse(text) as { ray: Record<string, { address: string }> };
    assert.equal(ray["two"]?.address, `ray://two-ray-head-svc.${namespace}.svc:10001`);
    await settled();
  });

  it("runs jobs of a cluster when they are new or changed, and makes CronJobs of those with a schedule", async function () {
    const address = addressOfMachine();
    // An API server reaches no endpoint on the loopback interface.
    if (address === undefined) return this.skip();
    const double = new RayJobsDouble();
    double.token = undefined;
    const ports = { dashboard: await double.start(address) };
    const folder = path.join(world.folder, "job");
    mkdirSync(folder);
    writeFileSync(path.join(folder, "train.py"), "print(1)\n");
    const two = workers({ replicas: 0 });
    const one = (jobs: object) => ({ one: { ...workers({ replicas: 2 }), ports, jobs }, two });
    const train = { entrypoint: "python train.py", workingDir: folder, cpus: 1, metadata: { team: "data" } };
    const schedule = { cron: "0 3 * * *", timeZone: "Europe/Berlin", concurrencyPolicy: "Replace" };
    const all = { train, nightly: { ...train, schedule, retries: 2, timeoutSeconds: 60 } };
    try {
      await configure(one({}));
      await up();
      const [pod] = (await get("pods", "-l", "app.kubernetes.io/instance=one-ray,app.kubernetes.io/component=head"))
        .items!;
      const client = connect(readFileSync(world.place.kubeconfig, "utf8"), undefined, {});
      await giveAddress(client, namespace, pod!.metadata.name, address);
      await configure(one({ ...all, train: { ...train, cpus: 2 } }));
      assert.match(
        (await run("preview")).text,
        /ray\.one\.jobs\.train: found CPU 2; expected .*worker with CPU 1, memoryGb 0\.5/,
      );
      await configure(one(all));
      await must("preview");
      assert.equal(double.jobs.length, 0);
      await up();
      await settled();
      const [job, ...others] = double.jobs;
      assert.deepEqual([others.length, job?.entrypoint, job?.metadata["team"]], [0, "python train.py", "data"]);
      assert.ok(double.packages.has(String(job?.runtime_env["working_dir"])));
      const { ray } = JSON.parse(await must("stack", "output", "--json")) as { ray: { one: { jobs: object } } };
      assert.deepEqual(ray.one.jobs, { train: job?.submission_id });
      const { spec } = await get("cronjob", "one-ray-nightly");
      assert.deepEqual(
        [spec.schedule, spec.timeZone, spec.concurrencyPolicy, spec.jobTemplate.spec.backoffLimit],
        [schedule.cron, schedule.timeZone, schedule.concurrencyPolicy, 2],
      );
      const data = await world.kubectl(
        "-n",
        namespace,
        "get",
        "configmap",
        "one-ray-nightly-job",
        "-o",
        "jsonpath={.data}",
      );
      assert.equal((JSON.parse(data) as Record<string, string>)["folder.train.py"], "print(1)\n");
      // The namespace accepts its pods.
      await world.kubectl("-n", namespace, "create", "job", "now", "--from=cronjob/one-ray-nightly");
      while ((await get("pods", "-l", "job-name=now")).items!.length === 0) await sleep(100);

      writeFileSync(path.join(folder, "train.py"), "print(2)\n");
      double.react = (each) => Object.assign(each, { status: "FAILED", logs: "ValueError: two\n" });
      assert.match((await run("up", "--yes", "--skip-preview")).text, /failed \(\S+-2-\w+-1\)[^]*ValueError: two/);
      double.react = (each) => (each.status = "SUCCEEDED");
      await up();
      assert.deepEqual(
        double.jobs.map(({ status }) => status),
        ["SUCCEEDED", "FAILED", "SUCCEEDED"],
      );
      await configure(one({}));
      await up();
      assert.deepEqual([double.jobs, await names("cronjob")], [[], []]);
    } finally {
      await double.stop();
    }
  });

  it("changes one cluster without touching the other and deletes a disabled one", async () => {
    const before = (await get("deployment", "two-ray-head")).metadata.uid;
    await configure({ one: workers({ replicas: 1 }), two: workers({ replicas: 0 }) });
    assert.match(await up(), /ray-one-objects updated(?!.*ray-two-objects updated)/s);
    assert.equal((await get("deployment", "one-ray-worker")).spec.replicas, 1);
    assert.equal((await get("deployment", "two-ray-head")).metadata.uid, before);
    await configure({ one: { ...workers({}), enabled: false }, two: workers({ replicas: 0 }) });
    await up();
    assert.deepEqual(await names("deployment"), ["two-ray-head", "two-ray-worker"]);
    assert.deepEqual(await names("service"), ["two-ray-head-svc"]);
  });

  it("scales with Ray's own autoscaler and minimal permissions", async () => {
    await configure({ two: { mode: "autoscaling", ...workers({ minReplicas: 0, maxReplicas: 2 }) } });
    await up();
    await settled();
    // The workers of a fixed number went; the head's service stayed.
    assert.deepEqual(await names("deployment"), ["two-ray-head"]);
    assert.deepEqual(await names("service"), ["two-ray-head-svc"]);
    const can = async (account: string, ...what: string[]): Promise<string> => {
      const as = `--as=system:serviceaccount:${namespace}:${account}`;
      return world.kubectl("auth", "can-i", ...what, "-n", namespace, as).then(
        (text) => text.trim(),
        () => "no",
      );
    };
    assert.equal(await can("two-ray-head", "create", "pods"), "yes");
    assert.equal(await can("two-ray-head", "get", "configmaps/two-ray-autoscaler"), "yes");
    assert.equal(await can("two-ray-head", "get", "configmaps"), "no");
    assert.equal(await can("two-ray-head", "get", "secrets"), "no");
    assert.equal(await can("two-ray", "create", "pods"), "no");
  });

  /** What the operator would say of the cluster. */
  async function operatorSays(status: object): Promise<void> {
    for (;;) {
      const found = await get("rayclusters", "-l", "app.kubernetes.io/instance=two-ray").catch(() => undefined);
      const generation = (found?.items?.[0]?.metadata as { generation?: number } | undefined)?.generation;
      if (generation !== undefined) {
        const patch = JSON.stringify({ status: { observedGeneration: generation, ...status } });
        const args = ["patch", "raycluster", "two-ray", "-n", namespace, "--subresource=status", "--type=merge"];
        await world.kubectl(...args, "-p", patch);
        return;
      }
      await sleep(100);
    }
  }

  async function operatorWarns(message: string): Promise<void> {
    const { uid } = (await get("raycluster", "two-ray")).metadata;
    const involvedObject = { apiVersion: "ray.io/v1", kind: "RayCluster", name: "two-ray", namespace, uid };
    const metadata = { name: "two-ray.warning" };
    const event = { type: "Warning", reason: "FailedToCreateRole", message, lastTimestamp: new Date().toISOString() };
    await world.apply(namespace, { apiVersion: "v1", kind: "Event", metadata, involvedObject, ...event });
  }

  it("reports why a RayCluster is not ready and follows the operator's ready condition", async () => {
    await configure({ two: { mode: "kuberay", ...workers({ replicas: 1 }), timeoutSeconds: 5 } });
    await must("preview");
    const condition = { type: "HeadPodReady", status: "False", reason: "ImagePullBackOff", message: "" };
    const [failed] = await Promise.all([
      run("up", "--yes", "--skip-preview"),
      operatorSays({ conditions: [condition] }).then(() => operatorWarns("Failed creating role ray/two, forbidden")),
    ]);
    assert.ok(!failed.ok);
    assert.match(failed.text, /RayCluster[^]*its head is not ready \(ImagePullBackOff\)/);
    assert.match(failed.text, /its operator says: Failed creating role ray\/two, forbidden \(FailedToCreateRole\)/);
    await configure({ two: { mode: "kuberay", ...workers({ replicas: 1 }) } });
    const operator = new RayOperator(world.place.kubeconfig, namespace);
    try {
      await up();
    } finally {
      await operator.stop();
    }
    await settled();
    assert.deepEqual(await names("deployment"), [], "the head is the operator's now");
    // Helm would have made the kind once, for ever.
    const kind = await world.get("crd", "rayclusters.ray.io");
    assert.equal(
      (kind.metadata as { labels?: Record<string, string> }).labels?.["stackyard.dev/bundle"],
      "kuberay-crds",
    );
    assert.equal((await world.get("-n", "kuberay-operator", "deployment", "kuberay-operator")).status.readyReplicas, 1);
  });

  describe("with real operator behaviour", () => {
    let operator: RayOperator;
    before(() => (operator = new RayOperator(world.place.kubeconfig, namespace)));
    after(() => operator.stop());

    const sizes = { static: { replicas: 1 }, autoscaling: { minReplicas: 0, maxReplicas: 2 } };
    // Every one after every other.
    const MODES = [
      { mode: "kuberay", ...workers(sizes.static) },
      { mode: "static", ...workers(sizes.static) },
      { mode: "autoscaling", ...workers(sizes.autoscaling) },
      { mode: "kuberay", ...workers(sizes.autoscaling) },
      { mode: "autoscaling", ...workers(sizes.autoscaling) },
      { mode: "static", ...workers(sizes.static) },
      { mode: "kuberay", ...workers(sizes.static) },
    ] as const;

    it("switches between all modes and keeps its address", async () => {
      const headService = async () =>
        (await get("service", "two-ray-head-svc")) as unknown as { metadata: { uid: string } };
      let uid: string | undefined;
      for (const config of MODES) {
        await configure({ two: config });
        await up();
        uid ??= (await headService()).metadata.uid;
        assert.equal((await headService()).metadata.uid, uid, config.mode);
        assert.deepEqual(await names("raycluster"), config.mode === "kuberay" ? ["two-ray"] : []);
        const head = config.mode === "kuberay" ? [] : ["two-ray-head"];
        assert.deepEqual(await names("deployment"), config.mode === "static" ? [...head, "two-ray-worker"] : head);
      }
      await settled();
    });

    it("fails early with the operator's reason if the operator rejects the cluster", async () => {
      const workerGroups = workers(sizes.static);
      await configure({
        two: { mode: "kuberay", ...workerGroups, timeoutSeconds: 600, env: { REDIS_USERNAME: "me" } },
      });
      const { ok, text } = await run("up", "--yes", "--skip-preview");
      assert.ok(!ok);
      assert.match(
        text,
        /cannot become ready[^]*its operator refuses it: The RayCluster spec is invalid .*redis username/,
      );
    });

    it("waits for the pods of the updated cluster and not for deleted ones", async () => {
      const headUid = async () =>
        (await get("pods", "-l", "ray.io/node-type=head")).items!.map(({ metadata }) => metadata.uid);
      await configure({ two: { mode: "kuberay", ...workers({ replicas: 2 }) } });
      await up();
      const before = await headUid();
      await configure({ two: { mode: "kuberay", ...workers({ replicas: 2 }), env: { LEVEL: "debug" } } });
      await up();
      const { items: [head] = [] } = await get("pods", "-l", "ray.io/node-type=head");
      assert.ok(head && !before.includes(head.metadata.uid));
      const { conditions } = head.status as { conditions: { type: string; status: string }[] };
      assert.ok(conditions.some(({ type, status }) => type === "Ready" && status === "True"));
    });

    it("leaves the number of workers to the autoscaler when other fields change", async () => {
      await configure({ two: { mode: "kuberay", ...workers({ minReplicas: 0, maxReplicas: 4 }) } });
      await up();
      const patch = [{ op: "replace", path: "/spec/workerGroupSpecs/0/replicas", value: 3 }];
      await world.kubectl(
        "patch",
        "raycluster",
        "two-ray",
        "-n",
        namespace,
        "--type=json",
        "-p",
        JSON.stringify(patch),
      );
      await settled();
      await configure({ two: { mode: "kuberay", ...workers({ minReplicas: 0, maxReplicas: 9 }) } });
      await up();
      const { spec } = await get("raycluster", "two-ray");
      const { workerGroupSpecs } = spec as unknown as { workerGroupSpecs: { replicas: number; maxReplicas: number }[] };
      assert.deepEqual([workerGroupSpecs[0]!.replicas, workerGroupSpecs[0]!.maxReplicas], [3, 9]);
    });

    it("takes over a Service that the operator created", async () => {
      await world.kubectl("delete", "service", "two-ray-head-svc", "-n", namespace);
      for (;;) {
        const found = await get("service", "two-ray-head-svc").catch(() => undefined);
        if (found !== undefined) break;
        await sleep(100);
        // The operator looks again when something of its cluster changes.
        await world.kubectl(
          "annotate",
          "raycluster",
          "two-ray",
          "-n",
          namespace,
          `looked=${Date.now()}`,
          "--overwrite",
        );
      }
      await configure({ two: { mode: "kuberay", ...workers({ minReplicas: 0, maxReplicas: 8 }) } });
      await up();
      await configure({ two: { mode: "static", ...workers({ replicas: 1 }) } });
      await up();
      await get("service", "two-ray-head-svc");
    });

    it("uses a double that fails with an event when a name is taken", async () => {
      const port = { name: "gcs", port: 6379 };
      await world.apply(namespace, service("bare-head-svc", { ports: [port] }));
      const group = { groupName: "worker", minReplicas: 0, maxReplicas: 1, template: {} };
      const head = { template: { spec: { containers: [{ name: "head", image: "example/ray" }] } } };
      const spec = { headGroupSpec: head, workerGroupSpecs: [group] };
      await world.apply(namespace, { apiVersion: "ray.io/v1", kind: "RayCluster", metadata: { name: "bare" }, spec });
      for (;;) {
        const { items = [] } = await get("events", "--field-selector", "involvedObject.name=bare");
        if (items.length > 0) break;
        await sleep(100);
      }
      const { status } = await get("raycluster", "bare");
      // It writes the event first; there may be no status yet.
      assert.notEqual((status as { state?: string } | undefined)?.state, "ready");
      await world.kubectl("delete", "raycluster/bare", "service/bare-head-svc", "-n", namespace);
      await must("destroy", "--yes", "--skip-preview");
    });
  });

  it("deletes a RayCluster while the operator can still clear its finalizers", async () => {
    const finalizer = "ray.io/gcs-ft-redis-cleanup-finalizer";
    const patch = (finalizers: string[]) =>
      world.kubectl(
        ...["patch", "raycluster", "two-ray", "-n", namespace, "--type=merge", "-p"],
        JSON.stringify({ metadata: { finalizers } }),
      );
    await patch([finalizer]);
    const destroyed = must("destroy", "--yes", "--skip-preview");
    for (;;) {
      const { metadata } = await get("raycluster", "two-ray");
      if ("deletionTimestamp" in metadata) break;
      await sleep(100);
    }
    await sleep(1_000);
    await world.get("-n", "kuberay-operator", "deployment", "kuberay-operator");
    await patch([]);
    await destroyed;
    assert.deepEqual(await names("raycluster"), []);
    const left = await world.get("-n", "kuberay-operator", "deployments");
    assert.deepEqual(left.items, []);
  });
});
