import assert from "node:assert/strict";
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { load } from "js-yaml";
import { projectRoot } from "../../../toolchain/root";
import { ensureTools } from "../../../toolchain/tools/ensure";
import { portToBind } from "../../../toolchain/yard/ports";
import { startMoto, type MotoServer } from "../../doubles/aws/moto/server";
import { usesVelero, velero, veleroPlugin } from "../../tools/velero";
import { Panels } from "../monitoring/panels";
import { World } from "../runtime/world";
import { testYard } from "../runtime/yard";
import { bundleFolder } from "./bundleFolder";

const run = promisify(execFile);
const API = "velero.io/v1";

interface Values {
  readonly configuration: { readonly backupStorageLocation: readonly Location[] };
  readonly schedules: { readonly nightly: { readonly schedule: string; readonly template: object } };
}
interface Location {
  readonly name: string;
  readonly provider: string;
  readonly bucket: string;
  readonly prefix: string;
  readonly config: object;
}

/** The values of Velero in the example. */
function valuesOfExample(): Values {
  const file = path.join(projectRoot(), "examples/operations/Pulumi.dev.yaml");
  const { config } = load(readFileSync(file, "utf8")) as { config: Record<string, unknown> };
  const { velero: bundle } = config["stackyard:bundles"] as {
    velero: { versions: Record<string, { values: Values }> };
  };
  return Object.values(bundle.versions)[0]!.values;
}

/** Velero's own server and plugin, on a real API server; moto is the object store, and pods are simulated. */
describe("Velero on the yard", function () {
  this.timeout(1_800_000); // The first time Velero is built.
  let panels: Panels | undefined;
  let world: World;
  let moto: MotoServer;
  let server: ChildProcess;
  let program = "";
  let logs = "";
  let namespace = "";
  let env: NodeJS.ProcessEnv;

  before(async function () {
    if (!usesVelero(projectRoot())) {
      console.log("      skipped: Velero is not installed; STACKYARD_VELERO=1 installs it");
      return this.skip();
    }
    const { programs } = await ensureTools(projectRoot(), [velero, veleroPlugin]);
    const started = await startMoto();
    if ("missing" in started) {
      console.log(`      skipped: ${started.missing}`);
      return this.skip();
    }
    moto = started;
    program = programs["velero"]!;
    world = new World(await testYard());
    namespace = `velero-${world.tag}`;
    const credentials = { AWS_ACCESS_KEY_ID: "double", AWS_SECRET_ACCESS_KEY: "double" };
    env = {
      ...process.env,
      ...world.place.env,
      ...credentials,
      KUBECONFIG: world.place.kubeconfig,
      VELERO_NAMESPACE: namespace,
      HOME: world.folder,
    };
    const { stdout: crds } = await run(program, ["install", "--crds-only", "--dry-run", "-o", "json"], {
      env,
      maxBuffer: 2 ** 26,
    });
    const { items } = JSON.parse(crds) as { items: object[] };
    for (const crd of items) await world.apply("default", crd);
    await world.kubectl("create", "namespace", namespace);
    const { configuration, schedules } = valuesOfExample();
    const [{ bucket, prefix, config, provider, name } = assert.fail()] = configuration.backupStorageLocation;
    await fetch(`${moto.address}/${bucket}`, { method: "PUT" });
    const endpoint = { s3Url: moto.address, s3ForcePathStyle: "true" };
    const location = { provider, default: true, config: { ...config, ...endpoint }, objectStorage: { bucket, prefix } };
    await world.apply(namespace, {
      apiVersion: API,
      kind: "BackupStorageLocation",
      metadata: { name },
      spec: location,
    });
    const { schedule, template } = schedules.nightly;
    // Other tests have namespaces on this yard.
    const own = { ...template, includedNamespaces: [`shop-${world.tag}`] };
    await world.apply(namespace, {
      apiVersion: API,
      kind: "Schedule",
      metadata: { name: "velero-nightly" },
      spec: { schedule, template: own },
    });
    // The server reads its own Deployment before it restores pods; here it runs as a process.
    const labels = { app: "velero" };
    const pod = { metadata: { labels }, spec: { containers: [{ name: "velero", image: "velero/velero" }] } };
    const deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "velero" } };
    await world.apply(namespace, { ...deployment, spec: { selector: { matchLabels: labels }, template: pod } });
    const plugins = path.join(world.folder, "plugins");
    mkdirSync(plugins);
    symlinkSync(programs["velero-plugin-for-aws"]!, path.join(plugins, "velero-plugin-for-aws"));
    const [metrics, profiler] = [await portToBind(), await portToBind()];
    const addresses = ["--metrics-address", `127.0.0.1:${metrics}`, "--profiler-address", `127.0.0.1:${profiler}`];
    server = spawn(program, ["server", "--plugin-dir", plugins, ...addresses], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [server.stdout, server.stderr])
      stream?.on("data", (text: Buffer) => (logs += text.toString()));
    panels = await Panels.of("velero_", `127.0.0.1:${metrics}`);
  });
  after(async () => {
    await panels?.stop();
    server?.kill();
    await moto?.stop();
    if (world === undefined) return;
    await world.kubectl("delete", "namespace", namespace, `shop-${world.tag}`, "--ignore-not-found", "--wait=false");
    world.remove();
  });

  /** The command of Velero's own command line that waits for its end. */
  async function must(...args: string[]): Promise<void> {
    await run(program, [...args, "--wait"], { env, timeout: 180_000 });
  }
  /** Fails with what Velero says of the object if it is not completed. */
  async function completed(kind: string, name: string): Promise<void> {
    const { status } = await world.get("-n", namespace, `${kind}.velero.io`, name);
    assert.equal(status["phase"], "Completed", `${JSON.stringify(status)}\n${logs.slice(-4000)}`);
  }

  it("restores a namespace with a bundle, which is then as the platform left it", async () => {
    const shop = `shop-${world.tag}`;
    const labels = { app: "web" };
    const source = bundleFolder(
      world.folder,
      "shop",
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data: { currency: "EUR" } },
      {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: { name: "data" },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      },
      {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "web" },
        spec: {
          replicas: 2,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "example/web" }] } },
        },
      },
    );
    await world.platform({
      cluster: { type: "existing", kubeconfig: { path: world.place.kubeconfig } },
      bundles: { shop: { versions: { "1.0.0": { sources: [source] } } } },
      instances: { shop: { bundle: "shop", namespace: shop, createNamespace: true } },
      allowDataLoss: [`${shop}/data`],
    });
    await world.kubectl("-n", shop, "create", "secret", "generic", "by-hand", "--from-literal=token=s3cret");

    // Velero refuses backups until it has validated their location.
    const location = "backupstoragelocations.velero.io/default";
    const available = ["--for=jsonpath={.status.phase}=Available", "--timeout=120s"];
    await world.kubectl("-n", namespace, "wait", location, ...available);
    await must("backup", "create", "first", "--from-schedule", "velero-nightly");
    await completed("backups", "first");
    await world.kubectl("delete", "namespace", shop, "--timeout=120s");
    await must("restore", "create", "first", "--from-backup", "first", "--include-namespaces", shop);
    await completed("restores", "first");
    assert.deepEqual(await panels?.empty(), panels && []);

    await world.kubectl("-n", shop, "rollout", "status", "deployment/web", "--timeout=120s");
    const { data } = (await world.get("-n", shop, "secret", "by-hand")) as unknown as { data: { token: string } };
    assert.equal(Buffer.from(data.token, "base64").toString(), "s3cret");
    await world.kubectl("-n", shop, "wait", "--for=jsonpath={.status.phase}=Bound", "pvc/data", "--timeout=60s");
    // Its owner and its fields are those of before, so nothing is to be applied again or taken over.
    await world.must("platform", "preview", "-s", world.tag, "--refresh", "--expect-no-changes");
    await world.must("platform", "destroy", "-s", world.tag, "--yes", "--skip-preview");
  });
});
