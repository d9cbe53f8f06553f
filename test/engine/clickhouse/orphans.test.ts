import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { ClickHouseDouble } from "../../doubles/clickhouse";
import { type Ended, Project } from "../cli/project";
import { kubernetesProvisioner } from "../runtime/provisioner";
import { testYard } from "../runtime/yard";

const run = promisify(execFile);
const root = path.join(__dirname, "../../..");
const namespace = `chorphans-${randomBytes(3).toString("hex")}`;

describe("databases of deployments without their state", () => {
  let project: Project;
  let server: ClickHouseDouble;
  let state: string;

  before(async () => {
    server = await new ClickHouseDouble().start();
    const place = await testYard();
    project = new Project(place);
    const backend = place.env["PULUMI_BACKEND_URL"]!.slice("file://".length);
    state = path.join(backend, ".pulumi", "stacks", "stackyard-runtime");
    const template = (name: string) => path.join(root, "runtime/examples/clickhouse", `${name}.yaml.tmpl`);
    const templates = {
      ...{ configMap: template("configmap"), statefulset: template("statefulset"), service: template("service") },
    };
    await project.platform({
      cluster: { type: "existing", kubeconfig: { path: place.kubeconfig } },
      defaultProvisioner: "one",
      provisioners: { one: kubernetesProvisioner(namespace) },
      clickhouse: { own: { type: "kubernetes", default: true, spec: { namespace, version: "26.8", templates } } },
    });
    const at = ["-s", "here", "--path"];
    await project.must("pulumi", "config", "set", ...at, "stackyard:clickhouse.main.type", "static");
    const url = "stackyard:clickhouse.main.spec.url";
    await project.must("pulumi", "config", "set", ...at, "--secret", url, server.url());
    await project.must("pulumi", "up", "-s", "here", "--yes", "--skip-preview");
    await well("up", "small", "--version", "1", "--clickhouse", "main");
    await well("up", "large", "--version", "1", "--clickhouse", "own");
  });
  after(async () => {
    await project.remove();
    await server.stop();
    await kubectl("delete", "namespace", namespace, "--wait=false");
  });

  const kubectl = async (...args: string[]): Promise<string> =>
    (await run("kubectl", ["--kubeconfig", project.place.kubeconfig, ...args])).stdout;
  const well = async (...args: string[]): Promise<Ended> => {
    const ended = await project.stackyard("runtime", ...args);
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    assert.doesNotMatch(ended.stdout + ended.stderr, /1Sy!|s3cret/);
    return ended;
  };
  const refused = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await project.stackyard("runtime", ...args);
    assert.notEqual(code, 0, stdout + stderr);
    return stdout + stderr;
  };
  const orphans = async (): Promise<string[]> => {
    const { stdout } = await well("list", "--orphans", "-o", "json");
    const found = JSON.parse(stdout) as { id: string; set?: string; database?: string }[];
    return found.map(({ id, set, database }) => `${id} ${database ?? set}`).sort();
  };
  const loseState = (id: string): void => {
    for (const file of readdirSync(state).filter((name) => name.startsWith(`${id}.json`)))
      rmSync(path.join(state, file));
    rmSync(project.stackFile(id), { force: true });
  };
  /** UID, generation and data of what a deployment has in Kubernetes for its database. */
  const objects = (id: string): Promise<string> => {
    const fields =
      '{range .items[*]}{.kind} {.metadata.name} {.metadata.uid} {.metadata.generation} {.data}{"\\n"}{end}';
    const names = [
      `secret/clickhouse-runtime-${id}`,
      ...(id === "large"
        ? [`secret/clickhouse-cluster-${id}`, `statefulset/clickhouse-${id}`]
        : [`secret/clickhouse-runtime-${id}`]),
    ];
    return kubectl("-n", namespace, "get", ...names, "-o", `jsonpath=${fields}`);
  };
  const unchanged = async (id: string): Promise<void> => {
    assert.match((await well("up", id)).stderr, new RegExp(`${id} is ready, nothing changed`));
    const byHand = await project.pulumi("preview", "-s", id, "--expect-no-changes");
    assert.equal(byHand.code, 0, byHand.stdout + byHand.stderr);
  };

  it("are not listed while every state exists, and pass the check", async () => {
    assert.deepEqual(await orphans(), []);
    await well("check", "--all");
    const user = server.users.get("rill_small");
    server.users.delete("rill_small");
    assert.match(await refused("check", "small"), /clickhouse: the user rill_small is missing/);
    server.users.set("rill_small", user!);
  });

  for (const id of ["small", "large"]) {
    it(`are listed and adopted unchanged with their runtime: ${id}`, async () => {
      const [before, hash] = [await objects(id), server.users.get("rill_small")?.hash];
      loseState(id);
      const expected =
        id === "small"
          ? ["clickhouse-runtime-small", "rill_small", "runtime-small"]
          : ["clickhouse-cluster-large", "clickhouse-runtime-large", "clickhouse-secret-large", "runtime-large"];
      assert.deepEqual(
        await orphans(),
        expected.map((part) => `${id} ${part}`),
      );
      assert.match(await refused("check", "--all"), /orphan: no runtime has what is with provisioner (main|own)/);
      const { stderr } = await well("adopt", id, "--yes");
      assert.match(stderr, /is adopted/);
      assert.doesNotMatch(stderr, /differ/);
      await unchanged(id);
      assert.deepEqual([await objects(id), server.users.get("rill_small")?.hash], [before, hash]);
      assert.deepEqual(await orphans(), []);
      assert.doesNotMatch((await project.pulumi("stack", "export", "-s", id)).stdout, /1Sy!/);
    });
  }

  it("are not reported as gone when the state is empty, nor removed unless each is named", async () => {
    for (const id of ["small", "large"]) loseState(id);
    await project.pulumi("stack", "init", "small", "--no-select");
    assert.match(
      await refused("destroy", "small", "--yes"),
      /is empty, but resources exist:[^]*database main\/rill_small on/,
    );
    const disk = `--allow-data-loss ${namespace}/*`;
    assert.match(
      await refused("remove-orphan", "small", "--yes", ...disk.split(" ")),
      /would delete claims or databases[^]*: main\/rill_small\n/,
    );
    assert.ok(server.databases.has("rill_small"));
    const named = [...disk.split(" "), "--allow-data-loss", "main/rill_small"];
    assert.match((await well("remove-orphan", "small", "--yes", ...named)).stderr, /small is gone/);
    assert.deepEqual([[...server.databases.keys()], [...server.users.keys()]], [["default"], ["admin"]]);
    assert.match(await refused("remove-orphan", "large", "--yes"), /data-clickhouse-large-0/);
    assert.match((await well("remove-orphan", "large", "--yes", ...disk.split(" "))).stderr, /large is gone/);
    assert.deepEqual(await orphans(), []);
    assert.equal(await kubectl("-n", namespace, "get", "secrets,statefulsets,pvc", "-o", "name"), "");
  });
});
