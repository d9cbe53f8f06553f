import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { testYard } from "./yard";
import { failed, succeeded, World } from "./world";
import { kubernetesProvisioner } from "./provisioner";

const GIB = 2 ** 30;
const templates = path.join(__dirname, "../../fixtures/templates");

/** The same cluster by another name: another kubeconfig and, as far as anyone can know, another cluster. */
function secondKubeconfig(world: World): string {
  const file = path.join(world.folder, "second-kubeconfig");
  writeFileSync(file, readFileSync(world.place.kubeconfig, "utf8").replace("https://127.0.0.1:", "https://localhost:"));
  return file;
}

const namespaces = ({ tag }: World) => [`one-${tag}`, `two-${tag}`] as const;
const poolHost = ({ tag }: World): string => `http://runtime-${tag}.localhost:9091`;

function platformConfig(world: World): Record<string, unknown> {
  const [one, two] = namespaces(world);
  const original = {
    statefulset: path.join(templates, "statefulset.yaml"),
    service: path.join(templates, "service.yaml"),
    httpIngress: path.join(templates, "http_ingress.yaml"),
    grpcIngress: path.join(templates, "grpc_ingress.yaml"),
  };
  return {
    cluster: { type: "existing", kubeconfig: { path: world.place.kubeconfig } },
    provisioners: {
      one: kubernetesProvisioner(one),
      // At the same place as `one`.
      next: kubernetesProvisioner(one, { createNamespace: false, image: "example/next" }),
      // There too, with the templates of the original system.
      original: kubernetesProvisioner(one, { createNamespace: false, image: "example/original", templates: original }),
      two: kubernetesProvisioner(two, { createNamespace: true, kubeconfig: { path: secondKubeconfig(world) } }),
      pool: { type: "static", spec: { runtimes: [{ host: poolHost(world), slots: 6 }] } },
    },
    defaultProvisioner: "one",
    environments: { dev: { provisioner: "pool" } },
  };
}

describe("runtime stacks", () => {
  let world: World;
  let one: string;
  let two: string;

  before(async () => {
    world = new World(await testYard());
    [one, two] = namespaces(world);
    await world.platform(platformConfig(world));
  });
  after(() => world.remove());

  /** A preview of the platform without the provisioner fails before anything is registered. */
  async function isNotRemoved(provisioner: string, message: RegExp): Promise<void> {
    const kept = world.readStackFile("platform", world.tag);
    const at = ["-s", world.tag, "--path"];
    await world.must("platform", "config", "rm", ...at, `stackyard:provisioners.${provisioner}`);
    await world.must("platform", "config", "rm", ...at, "stackyard:environments");
    try {
      failed(await world.pulumi("platform", "preview", "-s", world.tag), message);
    } finally {
      world.writeStackFile("platform", world.tag, kept);
    }
  }

  describe("with a Kubernetes provisioner", () => {
    let uid: string;
    const claim = () => world.get("-n", one, "pvc", "data-runtime-acme-0");
    const set = () => world.get("-n", one, "statefulset", "runtime-acme");
    const deployment = (change: object = {}, move?: string) =>
      world.deployment("acme", { slots: 1, version: "1.0.0", ...change }, move);

    it("deploy a runtime and output its address", async () => {
      await deployment();
      assert.deepEqual(await world.outputs("acme"), {
        host: `http://acme.${one}.localhost`,
        audienceUrl: `http://acme.${one}.localhost`,
        cpu: 1,
        memoryGb: 4,
        storageBytes: 40 * GIB,
        dataDir: "/mnt/data",
        provisioner: "one",
        state: "running",
      });
      assert.deepEqual(await world.objects(one), [
        "Ingress grpc-runtime-acme",
        "Ingress http-runtime-acme",
        "PersistentVolumeClaim data-runtime-acme-0",
        "Pod runtime-acme-0",
        "Service runtime-acme",
        "StatefulSet runtime-acme",
      ]);
      uid = (await claim()).metadata.uid;
    });

    it("show no changes on the next preview, by the Pulumi CLI itself too", async () => {
      succeeded(await world.isSettled("acme"));
      for (const [project, stack] of [
        ["runtime", "acme"],
        ["platform", world.tag],
      ] as const)
        succeeded(await world.cli(project, "preview", "-s", stack, "--expect-no-changes"));
    });

    it("keep kubeconfigs and the ledger's password out of the plain state", async () => {
      const state = await world.state("acme");
      assert.doesNotMatch(state, /client-key-data|certificate-authority-data/);
      assert.ok(!state.includes(new URL(world.place.ledgerUrl).password));
      assert.match(state, /"kubeconfig":\s*\{\s*"4dabf18193072939515e22adb298388d"/);
    });

    it("change the version in place", async () => {
      await deployment({ version: "1.1.0" });
      await world.outputs("acme");
      const pod = await world.get("-n", one, "pod", "runtime-acme-0");
      assert.equal(pod.spec.containers[0].image, "example/runtime:1.1.0");
      assert.equal((await claim()).metadata.uid, uid);
    });

    it("change slots in place and grow the same disk", async () => {
      await deployment({ version: "1.1.0", slots: 2 });
      const outputs = await world.outputs("acme");
      assert.deepEqual([outputs.cpu, outputs.memoryGb, outputs.storageBytes], [2, 8, 80 * GIB]);
      const { metadata, status } = await claim();
      assert.equal(metadata.uid, uid);
      assert.match(String(status.capacity.storage), /^(80Gi|85899345920)$/);
      const { spec } = await set();
      assert.equal(String(spec.template.spec.containers[0].resources.requests.cpu), "2");
      succeeded(await world.isSettled("acme"));
    });

    it("keep the disk with fewer slots and reject an explicitly smaller one", async () => {
      const { metadata } = await set();
      await deployment({ version: "1.1.0", slots: 1 });
      const outputs = await world.outputs("acme");
      assert.deepEqual([outputs.cpu, outputs.memoryGb, outputs.storageBytes], [1, 4, 80 * GIB]);
      assert.equal((await set()).metadata.uid, metadata.uid);
      succeeded(await world.isSettled("acme"));
      await deployment({ version: "1.1.0", slots: 1, diskGb: 40 });
      failed(
        await world.up("acme"),
        /it has 80 GiB, 40 GiB was requested; request 80 GiB or more \(a runtime: --disk-gb 80\)/,
      );
      assert.equal((await claim()).metadata.uid, uid);
      await deployment({ version: "1.1.0", slots: 2 });
      await world.outputs("acme");
    });

    it("hibernate to zero pods and keep the disk", async () => {
      await deployment({ version: "1.1.0", slots: 2, state: "hibernated" });
      const outputs = await world.outputs("acme");
      assert.deepEqual([outputs.state, outputs.storageBytes], ["hibernated", 80 * GIB]);
      assert.equal((await set()).spec.replicas, 0);
      const left = await world.objects(one);
      assert.ok(!left.includes("Pod runtime-acme-0"), left.join());
      assert.equal((await claim()).metadata.uid, uid);
      succeeded(await world.isSettled("acme"));
    });

    it("wake with the same disk and the latest changes", async () => {
      await deployment({ version: "1.2.0", slots: 2 });
      assert.equal((await world.outputs("acme")).state, "running");
      const pod = await world.get("-n", one, "pod", "runtime-acme-0");
      assert.equal(pod.spec.containers[0].image, "example/runtime:1.2.0");
      assert.equal((await claim()).metadata.uid, uid);
    });

    it("reject another provisioner unless a move is allowed", async () => {
      await deployment({ version: "1.2.0", slots: 2, provisioner: "two" });
      failed(await world.up("acme"), /is with provisioner "one".*stackyard runtime up acme --provisioner two --move/);
    });

    it("move in place between provisioners that share cluster and namespace", async () => {
      await deployment({ version: "1.2.0", slots: 2, provisioner: "next" }, "next");
      assert.equal((await world.outputs("acme")).provisioner, "next");
      const pod = await world.get("-n", one, "pod", "runtime-acme-0");
      assert.equal(pod.spec.containers[0].image, "example/next:1.2.0");
      assert.equal((await claim()).metadata.uid, uid);
    });

    it("move to another cluster: the new runtime is created before the old one is deleted", async () => {
      await deployment({ version: "1.2.0", slots: 2, provisioner: "two" }, "two");
      const outputs = await world.outputs("acme");
      assert.deepEqual([outputs.provisioner, outputs.host], ["two", `http://acme.${two}.localhost`]);
      assert.deepEqual(await world.objects(one), []);
      assert.ok((await world.objects(two)).includes("Pod runtime-acme-0"));
      await isNotRemoved("two", /stackyard:provisioners\.two had 1 deployment: acme/);
      await deployment({ version: "1.2.0", slots: 2, provisioner: "two" });
      succeeded(await world.isSettled("acme"));
    });

    it("leave nothing behind when destroyed", async () => {
      await world.destroy("acme");
      assert.deepEqual(await world.objects(two), []);
      assert.doesNotMatch(await world.state("acme"), /"urn"/);
    });
  });

  describe("with the original system's templates", () => {
    it("deploy a runtime", async () => {
      await world.deployment("0f0e1c9a-7d1f-4f0c-9a53-0a1b2c3d4e5f", {
        slots: 1,
        version: "1.0.0",
        provisioner: "original",
      });
      const outputs = await world.outputs("0f0e1c9a-7d1f-4f0c-9a53-0a1b2c3d4e5f");
      assert.equal(outputs.host, `http://0f0e1c9a7d1f4f0c9a530a1b2c3d4e5f.${one}.localhost`);
      assert.equal(outputs.storageBytes, 40 * GIB);
      succeeded(await world.isSettled("0f0e1c9a-7d1f-4f0c-9a53-0a1b2c3d4e5f"));
      await world.destroy("0f0e1c9a-7d1f-4f0c-9a53-0a1b2c3d4e5f");
      assert.deepEqual(await world.objects(one), []);
    });
  });

  describe("that do not become ready", () => {
    it("report the reason, keep created objects and the provisioner, and continue on the next update", async () => {
      await world.deployment("late", { slots: 1, version: "missing" });
      failed(await world.up("late"), /runtime-late-0[^]*(image|pull)/i);
      assert.ok((await world.objects(one)).includes("StatefulSet runtime-late"));

      await world.deployment("late", { slots: 1, version: "1.0.0", provisioner: "two" });
      failed(await world.up("late"), /is with provisioner "one"/);

      await world.deployment("late", { slots: 1, version: "1.0.0" });
      assert.equal((await world.outputs("late")).provisioner, "one");
      await world.destroy("late");
      assert.deepEqual(await world.objects(one), []);
    });
  });

  describe("with a static provisioner", () => {
    const deployment = (change: object = {}, move?: string) =>
      world.deployment("pooled", { slots: 2, version: "1.0.0", environment: "dev", ...change }, move);

    it("take slots and show no changes on the next preview", async () => {
      await deployment();
      const outputs = await world.outputs("pooled");
      assert.equal(outputs.host, poolHost(world));
      assert.deepEqual([outputs.provisioner, outputs.cpu, outputs.storageBytes], ["pool", 2, 80 * GIB]);
      succeeded(await world.isSettled("pooled"));
    });

    it("resize and report the number of free slots if there are too few", async () => {
      await deployment({ slots: 6 });
      assert.equal((await world.outputs("pooled")).cpu, 6);
      await deployment({ slots: 7 });
      failed(await world.up("pooled"), /7/);
      await deployment({ slots: 2 });
      await world.outputs("pooled");
    });

    it("keep their provisioner from being removed", async () => {
      await isNotRemoved("pool", /stackyard:provisioners\.pool had 1 deployment: pooled \(2 slots\)/);
    });

    it("keep their slots while they hibernate", async () => {
      await deployment({ state: "hibernated" });
      assert.equal((await world.outputs("pooled")).state, "hibernated");
      await world.deployment("greedy", { slots: 5, version: "1.0.0", environment: "dev" });
      failed(await world.up("greedy"), /5/);
    });

    it("move to Kubernetes and release their slots", async () => {
      await deployment({ provisioner: "one" }, "one");
      assert.equal((await world.outputs("pooled")).provisioner, "one");
      assert.equal((await world.outputs("greedy")).provisioner, "pool");
      await world.destroy("pooled");
      await world.destroy("greedy");
      assert.deepEqual(await world.objects(one), []);
    });
  });

  describe("with invalid config", () => {
    it("create nothing and report every fault", async () => {
      await world.deployment("wrong", { slots: 0, version: "1.0.0", provisoner: "one" });
      const ended = await world.up("wrong");
      failed(ended, /has 2 faults; nothing was changed/);
      failed(ended, /stackyard-runtime:deployment\.slots: found 0; expected a whole number from 1/);
      failed(ended, /stackyard-runtime:deployment\.provisoner: found an unknown key.*did you mean provisioner/);
      failed(await world.cli("runtime", "preview", "-s", "wrong"), /has 2 faults; nothing was changed/);
    });

    it("report a provisioner that is not in the set", async () => {
      await world.deployment("wrong", { slots: 1, version: "1.0.0", provisioner: "tow" });
      failed(await world.up("wrong"), /found provisioner "tow"; expected one of .*did you mean two/);
    });

    it("report a missing platform", async () => {
      await world.deployment("wrong", { slots: 1, version: "1.0.0" });
      await world.pulumi("runtime", "config", "set", "-s", "wrong", "platform", "organization/stackyard/nowhere");
      failed(
        await world.up("wrong"),
        /platform stack "organization\/stackyard\/nowhere" cannot be read: unknown stack/,
      );
    });
  });
});
