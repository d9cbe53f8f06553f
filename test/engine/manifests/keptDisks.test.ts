import assert from "node:assert/strict";
import { keptDisks } from "../../../kubernetes/disks/kept";
import { claim } from "./allowed";
import { dyingAfter } from "./dying";
import { statefulSet, World, type TestSet } from "./world";
import { testKubeconfig } from "./yard";

const ORIGIN = { "stackyard.dev/deployment": "acme", "stackyard.dev/provisioner": "k1" };

describe("the disk of a destroyed runtime", () => {
  let world: World;
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(() => world.close());

  const runtime = (): TestSet => world.set({ claimsWhenDeleted: "Retain", record: { deployment: { id: "acme" } } });
  const objects = (storage = "1Gi") => {
    const set = statefulSet({ storage });
    return [{ ...set, metadata: { ...set.metadata, annotations: ORIGIN } }];
  };
  const volumeOf = async (name: string): Promise<string> => String((await world.claim(name)).spec.volumeName);

  /** Creates and destroys a runtime. Returns the volume of its disk. */
  async function destroyed(): Promise<string> {
    const set = runtime();
    await set.up(objects());
    const volume = await volumeOf("data-acme-0");
    await set.down();
    return volume;
  }

  const kept = () =>
    keptDisks(world.client, [world.namespace]).then((all) =>
      all.filter(({ namespace }) => namespace === world.namespace),
    );

  it("is listed with its deployment, size and time", async () => {
    await destroyed();
    const [disk, ...others] = await kept();
    assert.deepEqual(others, []);
    assert.equal(disk?.name, "data-acme-0");
    assert.deepEqual([disk.deployment, disk.provisioner, disk.bytes], ["acme", "k1", 2 ** 30]);
    assert.ok(Math.abs(Date.now() - Date.parse(disk.since)) < 60_000);
  });

  it("is not used by the next runtime of the same id, which gets a new disk", async () => {
    const volume = await destroyed();
    const next = runtime();
    await next.up(objects());
    assert.notEqual(await volumeOf("data-acme-0"), volume);
    const [disk] = await kept();
    assert.match(disk?.name ?? "", /^kept-[0-9a-f]{8}-data-acme-0$/);
    assert.equal(await volumeOf(disk?.name ?? ""), volume);
    const live = await world.client.get({ apiVersion: "v1", kind: "PersistentVolume", name: volume });
    assert.equal((live?.["spec"] as { persistentVolumeReclaimPolicy: string }).persistentVolumeReclaimPolicy, "Delete");
  });

  it("is used by a new runtime that names it", async () => {
    const volume = await destroyed();
    const second = runtime();
    await second.up(objects(), { disk: "data-acme-0" });
    assert.equal(await volumeOf("data-acme-0"), volume);
    assert.deepEqual(await kept(), []);
    await second.down();

    const third = runtime();
    await third.up(objects());
    const other = await volumeOf("data-acme-0");
    await third.down();
    const [renamed] = (await kept()).filter(({ name }) => name.startsWith("kept-"));
    const fourth = runtime();
    await fourth.up(objects(), { disk: renamed?.name ?? "" });
    assert.equal(await volumeOf("data-acme-0"), volume);
    const left = (await kept()).map(({ name }) => name);
    assert.equal(left.length, 1);
    assert.equal(await volumeOf(left[0] ?? ""), other);
    await fourth.up(objects("3Gi"));
    assert.equal((await world.claim("data-acme-0")).status.capacity.storage, "3Gi");
  });

  it("is never lost when the process ends at any step", async () => {
    const volume = await destroyed();
    for (let writes = 1; ; writes++) {
      const set = runtime();
      const died = await dyingAfter(writes, () => set.up(objects()));
      const claims = await world.client.list({
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        namespace: world.namespace,
      });
      const live = await world.client.get({ apiVersion: "v1", kind: "PersistentVolume", name: volume });
      assert.ok(live, `the volume is gone after ${writes} writes`);
      assert.ok(claims.some((one) => (one["spec"] as { volumeName?: string }).volumeName === volume));
      if (!died) break;
    }
    const [disk] = await kept();
    assert.equal(await volumeOf(disk?.name ?? ""), volume);
  });

  for (const isRenamed of [false, true]) {
    const which = isRenamed ? "that was renamed" : "that has its name";
    it(`${which} is used even if the process ends at any step and restarts`, async () => {
      const volume = await destroyed();
      for (let writes = 1, died = true; died; writes++) {
        if (isRenamed) await destroyed();
        const names = (await kept()).map(({ name }) => name);
        const volumes = await Promise.all(names.map(volumeOf));
        const disk = `${world.namespace}/${names[volumes.indexOf(volume)]}`;
        assert.equal(disk.includes("/kept-"), isRenamed);
        const set = runtime();
        died = await dyingAfter(writes, () => set.up(objects(), { disk }));
        if (died) await set.up(objects(), { disk });
        assert.equal(await volumeOf("data-acme-0"), volume, `after ${writes} writes`);
        await set.down();
      }
    });
  }

  it("is rejected by a runtime that has another one, and accepted again by the one that uses it", async () => {
    const volume = await destroyed();
    const set = runtime();
    await set.up(objects(), { disk: "data-acme-0" });
    await set.up(objects(), { disk: `${world.namespace}/data-acme-0` });
    await set.up(objects());
    await set.up(objects(), { disk: "data-acme-0" });
    for (const disk of ["nothing", "kept-00000000-data-acme-0"]) {
      assert.match(
        await set.fails(objects(), { disk }),
        /disk: found ".*", and StatefulSet \S+ exists with a disk of its own/,
      );
    }
    assert.equal(await volumeOf("data-acme-0"), volume);
    await set.down();
  });

  it("is rejected if it is not a kept disk", async () => {
    assert.match(await runtime().fails(objects(), { disk: "nothing" }), /found "nothing", which is no kept disk/);
    await world.client.apply({
      ...claim("data-acme-0"),
      metadata: { name: "data-acme-0", namespace: world.namespace, labels: { app: "acme" } },
    });
    assert.match(await runtime().fails(objects()), /exists already, and it is not known whose data it has/);
  });
});
