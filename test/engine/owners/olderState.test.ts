import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "../../../kubernetes/connect/connect";
import type { Client } from "../../../kubernetes/client/client";
import { ChartRepository, packDouble } from "../../doubles/chartRepository";
import { bundleFolder } from "../bundles/bundleFolder";
import { Project } from "../cli/project";
import { kubernetesProvisioner } from "../runtime/provisioner";
import { testYard } from "../runtime/yard";
import { liveObjects } from "./live";

const CHART = "nvidia-device-plugin";

interface Wanted {
  readonly version?: string;
  readonly replicas?: number;
  readonly cpu?: number;
}

describe("a platform with an older state of its own stack", function () {
  this.timeout(180_000);
  const namespace = `older-${randomBytes(3).toString("hex")}`;
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-older-"));
  let project: Project;
  let client: Client;
  let repository: ChartRepository;

  const small = { cpu: 1, memoryGb: 1 };
  const config = ({ version = "a", replicas = 1, cpu = 1 }: Wanted = {}): Record<string, unknown> => ({
    cluster: { type: "existing", kubeconfig: { path: project.place.kubeconfig } },
    charts: { mirror: repository.url },
    defaultProvisioner: "one",
    provisioners: { one: kubernetesProvisioner(namespace) },
    ray: {
      one: {
        ...{ mode: "static", namespace, pool: "", reservedCpu: 0, head: small },
        workerGroups: { worker: { ...small, replicas } },
      },
    },
    bundles: { shop: { versions: { "1.0.0": { sources: [bundle(version)] } } } },
    instances: { shop: { bundle: "shop", namespace, timeoutSeconds: 30 } },
    gpuDevicePlugin: { enabled: true, values: { resources: { limits: { cpu } } } },
  });
  const bundle = (version: string): object =>
    bundleFolder(folder, `shop-${version}`, {
      ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "shop" } },
      data: { version },
    });

  before(async () => {
    const place = await testYard();
    client = connect(readFileSync(place.kubeconfig, "utf8"), undefined, {});
    repository = await new ChartRepository({ [CHART]: await packDouble(CHART) }).start();
    project = new Project(place);
    await project.platform(config());
  });
  after(async () => {
    await project.remove();
    await repository.stop();
    rmSync(folder, { recursive: true, force: true });
    await client.remove({ apiVersion: "v1", kind: "Namespace", name: namespace });
  });

  const must = async (verb: string, ...more: string[]): Promise<void> => {
    const { code, text } = await project.verb(verb, ...more);
    assert.equal(code, 0, text);
  };
  const state = (verb: "export" | "import", name: string): Promise<string> =>
    project.must("pulumi", "stack", verb, "-s", "here", "--file", path.join(folder, name));
  const live = async (): Promise<string[]> => [
    ...(await liveObjects(client, "kube-system", [
      ["apps/v1", "DaemonSet"],
      ["v1", "Secret"],
    ])),
    ...(await liveObjects(client, namespace, [
      ["apps/v1", "Deployment"],
      ["v1", "Service"],
      ["v1", "ConfigMap"],
    ])),
  ];

  const changes: readonly (readonly [what: string, wanted: Wanted, title: RegExp])[] = [
    ["a Helm release", { cpu: 2 }, /Helm release kube-system\/nvidia-device-plugin has generation \d+/],
    ["a set", { cpu: 2, replicas: 2 }, /set \S+\/ray-one has generation \d+/],
    ["a bundle", { cpu: 2, replicas: 2, version: "b" }, /bundle \S+\/shop has generation \d+/],
  ];
  for (const [what, wanted, title] of changes) {
    it(`deletes nothing after a change of ${what}`, async () => {
      await state("export", "older.json");
      project.describe(config(wanted));
      await must("up");
      await must("preview", "--expect-no-changes");
      const before = await live();
      await state("export", "newest.json");
      await state("import", "older.json");
      for (const more of [[], ["--continue-on-error"]]) {
        const { code, text } = await project.verb("destroy", ...more);
        assert.notEqual(code, 0, text);
        assert.match(text, title);
        assert.match(text, /is older \(generation \d+\)[^]*pulumi refresh --stack here/);
      }
      assert.deepEqual(await live(), before);
      await state("import", "newest.json");
      await must("preview", "--expect-no-changes");
    });
  }

  it("deletes all of it after an update that failed, and after a refresh of the older state", async () => {
    await state("export", "older.json");
    project.describe(config({ cpu: 3, replicas: 3, version: "c" }));
    await must("up");
    project.describe(config({ cpu: -1, replicas: 4, version: "d" }));
    for (const attempt of [1, 2]) assert.notEqual((await project.verb("up")).code, 0, String(attempt));
    await state("import", "older.json");
    assert.match((await project.verb("destroy")).text, /is older \(generation \d+\)/);
    await must("refresh");
    await must("destroy");
    assert.deepEqual(await liveObjects(client, "kube-system", [["apps/v1", "DaemonSet"]]), []);
    assert.deepEqual(await liveObjects(client, namespace, [["apps/v1", "Deployment"]]), []);
  });
});
