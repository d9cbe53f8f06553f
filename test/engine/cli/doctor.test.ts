import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { dump, load } from "js-yaml";
import type { Finding } from "../../../cli/doctor/finding";
import { chooseContext } from "../../../foundation/kubeconfig";
import { kubernetesProvisioner } from "../runtime/provisioner";
import { testYard } from "../runtime/yard";
import type { Place } from "../runtime/world";
import { Project } from "./project";

type Config = Record<string, unknown>;

/** The faults of a report as `area: text`. */
interface Report {
  readonly code: number;
  readonly findings: readonly Finding[];
  readonly faults: readonly string[];
}

describe("stackyard doctor", function () {
  this.timeout(120_000);
  const tag = randomBytes(3).toString("hex");
  const namespace = `doctor-${tag}`;
  let place: Place;
  let project: Project;

  const small = { cpu: 1, memoryGb: 1 };
  const ray = (more: object = {}): Config => ({
    one: { mode: "static", namespace, reservedCpu: 0, head: small, workerGroups: { worker: small }, ...more },
  });
  const config = (more: Config = {}): Config => ({
    cluster: { type: "existing", kubeconfig: { path: place.kubeconfig } },
    defaultProvisioner: "one",
    provisioners: { one: kubernetesProvisioner(namespace) },
    ray: ray(),
    ...more,
  });
  const kubectl = (...args: string[]): string =>
    execFileSync("kubectl", ["--kubeconfig", place.kubeconfig, ...args], { env: place.env, encoding: "utf8" });

  async function examine(own = project, stack = "here"): Promise<Report> {
    const { code, stdout, stderr } = await own.stackyard("doctor", stack, "--json");
    assert.match(stdout, /^\{/, stderr);
    const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
    assert.equal(ok, code === 0);
    for (const { level, text, remedy } of findings) assert.equal(remedy !== undefined, level !== "ok", text);
    const faults = findings.filter(({ level }) => level === "fault").map(({ area, text }) => `${area}: ${text}`);
    assert.equal(ok, faults.length === 0);
    return { code, findings, faults };
  }

  before(async () => {
    place = await testYard();
    project = new Project(place);
    await project.must("pulumi", "stack", "init", "here", "--no-select");
  });
  after(() => project.remove());

  it("finds no fault in a yard, and prints each check", async () => {
    project.describe(config());
    const { faults, findings } = await examine();
    assert.deepEqual(faults, []);
    const areas = new Set(findings.map(({ area }) => area));
    for (const area of ["tools", "backend", "config", "cluster", "rights", "registries", "preview"] as const) {
      assert.ok(areas.has(area), area);
    }
    const { code, stdout, stderr } = await project.stackyard("doctor", "here");
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /^✓ cluster: https:.* runs Kubernetes v1\./m);
    assert.match(stdout, /^✓ preview: \d+ to create$/m);
    assert.match(stderr, /here: 0 faults, \d+ warning/);
  });

  it("finds that there is no default StorageClass, if something needs one", async () => {
    const annotation = "storageclass.kubernetes.io/is-default-class";
    const [name = ""] = kubectl("get", "storageclass", "-o", "jsonpath={.items[*].metadata.name}").split(" ");
    kubectl("annotate", "storageclass", name, `${annotation}-`);
    try {
      const { faults, findings } = await examine();
      assert.deepEqual(faults, [
        `cluster: the cluster has no default StorageClass (it has ${name}), which stackyard:cluster, stackyard:provisioners.one needs`,
      ]);
      const remedies = findings.map(({ remedy }) => remedy);
      assert.ok(remedies.includes(`kubectl annotate storageclass ${name} ${annotation}=true`), remedies.join());
    } finally {
      kubectl("annotate", "storageclass", name, `${annotation}=true`);
    }
  });

  it("finds a selector that no node matches, which the preview refuses", async () => {
    project.describe(config({ ray: ray({ pool: "ray" }) }));
    const { faults } = await examine();
    assert.equal(faults.length, 1, faults.join("\n"));
    assert.match(
      faults[0] ?? "",
      /^preview: stackyard:ray\.one\.head: found a pod for nodes with dedicated=ray; expected/,
    );
    const { code, stdout, stderr } = await project.hand("up", "-s", "here", "--yes", "--skip-preview");
    assert.notEqual(code, 0);
    assert.match(stdout + stderr, /Nothing was changed\./);
  });

  it("only warns of such a selector where nodes are added on demand", async () => {
    kubectl("create", "configmap", "cluster-autoscaler-status", "--namespace", "kube-system");
    try {
      const { faults, findings } = await examine();
      assert.deepEqual(faults, []);
      const warnings = findings.filter(({ area, level }) => area === "preview" && level === "warning");
      assert.match(
        warnings.map(({ text }) => text).join("\n"),
        /ray\.one\.workerGroups\.worker: found a pod for nodes/,
      );
    } finally {
      kubectl("delete", "configmap", "cluster-autoscaler-status", "--namespace", "kube-system");
    }
  });

  it("names the rights that a service account lacks", async () => {
    const account = `system:serviceaccount:default:few-${tag}`;
    kubectl("create", "serviceaccount", `few-${tag}`);
    kubectl("create", "clusterrolebinding", `few-${tag}`, "--clusterrole=view", `--serviceaccount=default:few-${tag}`);
    const token = kubectl("create", "token", `few-${tag}`).trim();
    const text = readFileSync(place.kubeconfig, "utf8");
    const { userName } = chooseContext(text);
    const file = path.join(project.folder, "few.yaml");
    const whole = load(text) as { users: object[] };
    writeFileSync(file, dump({ ...whole, users: [{ name: userName, user: { token } }] }));
    try {
      project.describe(config({ cluster: { type: "existing", kubeconfig: { path: file } } }));
      const { faults, findings } = await examine();
      const rights = faults.filter((fault) => fault.startsWith("rights:"));
      assert.match(
        rights.join("\n"),
        new RegExp(
          `^rights: ${account} may not create, patch namespaces in the cluster, which .*stackyard:ray.one needs$`,
          "m",
        ),
      );
      assert.match(rights.join("\n"), /may not create, delete, patch .*deployments\.apps.* in the namespace doctor-/);
      const nodes = findings.find(({ text: each }) => /may not list nodes/.test(each));
      assert.equal(nodes?.level, "warning");
    } finally {
      kubectl("delete", "clusterrolebinding", `few-${tag}`);
      kubectl("delete", "serviceaccount", `few-${tag}`);
    }
  });

  it("names the owner of what belongs to another platform", async () => {
    const other = new Project({ ...place, env: { ...place.env, PULUMI_BACKEND_URL: `file://${project.folder}` } });
    await other.platform(config());
    try {
      project.describe(config());
      const { faults } = await examine();
      assert.match(
        faults.join("\n"),
        /^preview: set doctor-\w+\/ray-one-token belongs to stack stackyard\/here in file/m,
      );
    } finally {
      await other.remove();
    }
  });

  it("finds a cluster that does not answer, and asks it nothing else", async () => {
    const file = path.join(project.folder, "gone.yaml");
    const nowhere = load(readFileSync(place.kubeconfig, "utf8")) as { clusters: { cluster: object }[] };
    for (const each of nowhere.clusters) Object.assign(each.cluster, { server: "https://127.0.0.1:1" });
    writeFileSync(file, dump(nowhere));
    project.describe(config({ cluster: { type: "existing", kubeconfig: { path: file } } }));
    const { faults, findings } = await examine();
    assert.equal(faults.length, 1, faults.join("\n"));
    assert.match(faults[0] ?? "", /^cluster: https:\/\/127\.0\.0\.1:1 can't be asked: .*nothing listens there/);
    assert.ok(!findings.some(({ area }) => area === "preview"));
  });

  it("finds missing tools, stacks, passphrases and every fault of the config", async () => {
    const folder = path.join(project.folder, "bin");
    mkdirSync(folder);
    symlinkSync(process.execPath, path.join(folder, "node"));
    const withEnv = (env: Record<string, string>): Project =>
      Object.assign(Object.create(project) as Project, { place: { ...place, env: { ...place.env, ...env } } });
    assert.deepEqual((await examine(withEnv({ PATH: folder }))).faults, ["tools: found no pulumi on PATH"]);
    writeFileSync(path.join(project.folder, "Pulumi.fresh.yaml"), "config: {}\n");
    const fresh = await examine(project, "fresh");
    assert.match(fresh.faults.join(), /^backend: .* has no stack fresh$/);
    assert.equal(fresh.findings.at(-1)?.remedy, "pulumi stack init fresh");
    assert.match(
      (await examine(project, "none")).faults.join(),
      /^config: no file describes the stack none; there are/,
    );
    const locked = withEnv({ PULUMI_CONFIG_PASSPHRASE: "another", PULUMI_CONFIG_PASSPHRASE_FILE: "" });
    project.describe(config({ ledger: { secure: "v1:AAAA" } }));
    assert.match(
      (await examine(locked)).faults.join(),
      /^config: the secrets of Pulumi\.here\.yaml can't be decrypted/,
    );
    project.describe(config({ rai: {}, ray: { one: { mode: "statik" } } }));
    assert.match((await examine()).faults.join(), /stackyard:rai: found an unknown key[^]*stackyard:ray\.one\.mode/);
  });
});
