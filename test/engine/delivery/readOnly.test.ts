import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { renderLock } from "../../../components/charts/lock";
import { CHARTS } from "../../../components/charts/table";
import { layoutOf } from "../../../toolchain/yard/layout";
import { ChartRepository, packDouble, sha256 } from "../../doubles/chartRepository";
import { bundleFolder } from "../bundles/bundleFolder";
import { Project } from "../cli/project";
import { kubernetesProvisioner } from "../runtime/provisioner";
import { testYard } from "../runtime/yard";

const EXEC = "client.authentication.k8s.io/v1";

interface AuditEvent {
  readonly user: { readonly username: string };
  readonly verb: string;
  readonly requestURI: string;
}

describe("A user who may only read a cluster", function () {
  this.timeout(300_000);
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-reader-"));
  const kubeconfig = path.join(folder, "kubeconfig.json");
  const credential = path.join(folder, "credential.json");
  let project: Project;
  let repository: ChartRepository;
  let lockFile: string;
  let tag: string;

  const kubectl = (args: string[], input = ""): string =>
    execFileSync("kubectl", ["--kubeconfig", project.place.kubeconfig, ...args], {
      ...{ env: project.place.env, encoding: "utf8", input },
    });
  const users = (): string => `users-${tag}`;

  /** The next commands run as this service account. */
  function become(name: "admin" | "reader"): void {
    const token = kubectl(["create", "token", name, "-n", users()]).trim();
    writeFileSync(credential, JSON.stringify({ apiVersion: EXEC, kind: "ExecCredential", status: { token } }));
  }

  function createUsers(): void {
    const meta = (name: string) => ({ name, namespace: users() });
    const bind = (name: string, role: string) => ({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata: { name: `${name}-${tag}` },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role },
      subjects: [{ kind: "ServiceAccount", ...meta(name) }],
    });
    const objects = [
      ...[users(), `masters-${tag}`].map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } })),
      ...["admin", "reader"].map((name) => ({ apiVersion: "v1", kind: "ServiceAccount", metadata: meta(name) })),
      bind("admin", "cluster-admin"),
      bind("reader", "view"),
    ];
    kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }));
  }

  before(async () => {
    const place = await testYard();
    project = new Project({ ...place, env: { ...place.env, XDG_CACHE_HOME: path.join(folder, "cache") } });
    tag = path.basename(project.folder).slice(-6).toLowerCase();
    const archive = await packDouble("jupyterhub");
    repository = await new ChartRepository({ jupyterhub: archive }).start();
    lockFile = path.join(folder, "lock.yaml");
    const { version } = CHARTS.jupyterhub;
    writeFileSync(lockFile, renderLock({ jupyterhub: { version, digest: sha256(archive) } }));
    // As on EKS, where the kubeconfig asks a program who the user is.
    const exec = { apiVersion: EXEC, command: "cat", args: [credential], interactiveMode: "Never" };
    const view = JSON.parse(kubectl(["config", "view", "--raw", "--flatten", "-o", "json"])) as { users: object[] };
    writeFileSync(
      kubeconfig,
      JSON.stringify({ ...view, users: view.users.map((each) => ({ ...each, user: { exec } })) }),
    );
    createUsers();
    become("admin");
    await project.platform(config());
    const git = (...args: string[]) =>
      project.must("git", "-c", "user.name=t", "-c", "user.email=t@example.com", ...args);
    await git("init", "--quiet");
    await git("add", "Pulumi.yaml");
    await git("commit", "--quiet", "-m", "first");
  });
  /** No test of these may write anything as the reader, nor try to. */
  afterEach(() => {
    const { cluster } = layoutOf(path.dirname(project.place.kubeconfig));
    const lines = readFileSync(path.join(cluster, "logs", "audit.log"), "utf8")
      .split("\n")
      .filter(Boolean);
    const events = lines.map((line) => JSON.parse(line) as AuditEvent);
    const isOf = (name: string) => (event: AuditEvent) =>
      event.user.username === `system:serviceaccount:${users()}:${name}`;
    assert.ok(events.some(isOf("admin")), "the audit log has no event of the admin");
    // What asks whether something is allowed is stored nowhere, like a dry run.
    const isWrite = ({ requestURI }: AuditEvent) => !/[?&]dryRun=All|\/apis\/authorization\.k8s\.io\//.test(requestURI);
    assert.deepEqual(events.filter(isOf("reader")).filter(isWrite), []);
  });
  after(async () => {
    become("admin");
    await project.remove();
    await repository.stop();
    for (const name of ["admin", "reader"]) kubectl(["delete", "clusterrolebinding", `${name}-${tag}`]);
    kubectl(["delete", "clusterrole", `reader-${tag}`, "--ignore-not-found"]);
    kubectl(["delete", "namespace", users(), `masters-${tag}`, "--wait=false"]);
    rmSync(folder, { recursive: true, force: true });
  });

  const config = (): Record<string, unknown> => ({
    cluster: { type: "existing", kubeconfig: { path: kubeconfig } },
    provisioners: { one: kubernetesProvisioner(`runtimes-${tag}`), two: kubernetesProvisioner(`others-${tag}`) },
    defaultProvisioner: "one",
    charts: { mirror: repository.url, lock: "required", lockFile },
  });
  /** Every feature of an existing cluster that has objects there. */
  function everything(version: string): Record<string, unknown> {
    const small = { cpu: 1, memoryGb: 1 };
    const objects = [
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "shop" }, data: { version } },
      { apiVersion: "v1", kind: "Secret", metadata: { name: "shop" }, stringData: { version } },
      {
        ...{ apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata: { name: "shop" } },
        rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
      },
    ];
    return {
      ...config(),
      teams: { [`team-${tag}`]: { role: version === "a" ? "edit" : "view", quota: { pods: 10 } } },
      ray: {
        one: {
          ...{ mode: "static", namespace: `ray-${tag}`, pool: "", reservedCpu: 0, head: small },
          workerGroups: { worker: { ...small, replicas: version === "a" ? 1 : 2 } },
        },
      },
      jupyterhub: {
        ...{ namespace: `hub-${tag}`, host: "hub.example.com", tls: { type: "offload" }, timeoutSeconds: 120 },
        service: { type: "ClusterIP" },
        auth: { type: "auth0", domain: "acme.eu.auth0.com", clientId: "client", adminUsers: ["ann@example.com"] },
        profiles: { small: { displayName: version, cpu: 1 } },
      },
      teraslice: {
        image: `example/teraslice:${version}`,
        settings: { name: `m-${tag}`, kubernetes_namespace: `masters-${tag}` },
        terafoundation: { connectors: { "elasticsearch-next": { default: { node: ["http://search.svc:9200"] } } } },
      },
      bundles: { shop: { versions: { "1.0.0": { sources: [bundleFolder(folder, `shop-${version}`, ...objects)] } } } },
      instances: {
        shop: { bundle: "shop", namespace: `shop-${tag}`, createNamespace: true, timeoutSeconds: 30 },
      },
    };
  }

  async function describeAll(version: string): Promise<void> {
    project.describe(everything(version));
    const secret = ["--secret", "--path", "stackyard:jupyterhub.auth.clientSecret", "s3cret"];
    await project.must("pulumi", "config", "set", "-s", "here", ...secret);
  }

  /** A preview that must succeed; returns its text without line breaks. */
  async function preview(...flags: string[]): Promise<string> {
    const { code, stdout, stderr } = await project.hand("preview", "-s", "here", "--diff", ...flags);
    assert.equal(code, 0, stdout + stderr);
    return (stdout + stderr).replaceAll(/\s+/g, " ");
  }
  const up = () => project.must("pulumi", "up", "-s", "here", "--yes", "--skip-preview");

  it("previews new features and learns what stays unknown", async () => {
    await describeAll("a");
    become("reader");
    const text = await preview();
    assert.match(text, /unknown to this user, who may not patch namespaces\. An update needs these rights/);
    assert.match(text, /may not get .*roles\.rbac\.authorization\.k8s\.io.*; patch configmaps, deployments\.apps/);
    become("admin");
    await up();
  });

  it("previews with the role that bootstrap prints, which reads no Secrets", async () => {
    become("admin");
    const flags = ["--name", `reader-${tag}`, "--group", `system:serviceaccounts:${users()}`];
    const { code, stdout, stderr } = await project.stackyard("bootstrap", "kubernetes", "here", ...flags);
    assert.equal(code, 0, stderr);
    assert.doesNotMatch(stdout, /secrets|\*/);
    kubectl(["delete", "clusterrolebinding", `reader-${tag}`]);
    kubectl(["apply", "-f", "-"], stdout);

    become("reader");
    assert.doesNotMatch(await preview("--expect-no-changes"), /unknown to this user/);
    await describeAll("b");
    const text = await preview();
    assert.doesNotMatch(text, /may not get (?!secrets)/);
    for (const field of ["replicas", "image", "digest"]) assert.ok(text.includes(field), field);
  });

  it("finds drift, and names the Helm releases that it can't compare", async () => {
    await describeAll("a");
    const drift = () => project.stackyard("drift", "here");
    const none = await drift();
    assert.equal(none.code, 0, none.stdout + none.stderr);
    assert.match(none.stdout + none.stderr, /here has no drift/);
    assert.match(
      none.stdout + none.stderr,
      /jupyterhub-release: whether the Helm release has drift is unknown to this user, who may not list its Secrets/,
    );
    kubectl(["patch", "configmap", "shop", "-n", `shop-${tag}`, "--type=merge", "-p", '{"data":{"version":"z"}}']);
    kubectl(["delete", "service", "-n", `masters-${tag}`, "--all"]);
    const some = await drift();
    assert.equal(some.code, 1);
    const found = some.stdout + some.stderr;
    assert.match(found, /update teraslice-objects \(stackyard:index:ManifestSet\)/);
    assert.match(found, /\(stackyard:index:BundleRelease\)/);
  });

  it("previews runtimes: a new one, an unchanged one, a changed one and a move", async () => {
    await describeAll("a");
    const runtime = async (...args: string[]): Promise<string> => {
      const { stdout, stderr } = await project.runtime("preview", ...args);
      return stdout + stderr;
    };
    become("reader");
    assert.match(await runtime("one", "--version", "1"), /to create|create/);
    become("admin");
    await project.runtime("up", "one", "--version", "1");
    become("reader");
    assert.match(await runtime("one"), /nothing to do/);
    assert.match(await runtime("one", "--slots", "2"), /update/);
    assert.match(await runtime("one", "--provisioner", "two", "--move"), /update|replace/);
    const drift = await project.pulumi("preview", "-s", "one", "--refresh", "--expect-no-changes");
    assert.equal(drift.code, 0, drift.stdout + drift.stderr);
  });

  it("previews the removal of every feature", async () => {
    project.describe(config());
    assert.match(await preview(), /\d+ to delete/);
  });
});
