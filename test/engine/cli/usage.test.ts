import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "../../../kubernetes/connect/connect";
import type { Client } from "../../../kubernetes/client/client";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import { openCost } from "../../doubles/openCost";
import { addressOfMachine, behindService } from "../runtime/behindService";
import { testYard } from "../runtime/yard";
import { Project } from "./project";

const tag = randomBytes(3).toString("hex");
const namespace = `usage-${tag}`;

interface Printed {
  readonly noCosts?: string;
  readonly unknown?: readonly string[];
  readonly usage: readonly {
    readonly kind: string;
    readonly name: string;
    readonly cpu: number;
    readonly cost?: number;
  }[];
}

interface Exported {
  readonly deployment: {
    readonly resources: readonly { readonly type: string; readonly outputs: { kubeconfig: { plaintext: string } } }[];
  };
}

/** The API server is real; only OpenCost is a double. */
describe("stackyard usage", () => {
  let project: Project;
  let client: Client;
  let server: Server;
  const admin = (): string[] => ["--kubeconfig", project.place.kubeconfig];
  const asked: string[] = [];

  before(async () => {
    const place = await testYard();
    project = new Project(place);
    client = connect(readFileSync(place.kubeconfig, "utf8"), undefined, { patienceMs: 20_000 });
    const spec = { namespace: "runtimes", host: "http://*.runtimes.localhost", image: "example/runtime" };
    await project.platform({
      cluster: { type: "existing", kubeconfig: { path: place.kubeconfig } },
      defaultProvisioner: "only",
      provisioners: { only: { type: "kubernetes", spec } },
      teams: { [`team-${tag}`]: { namespace } },
    });
    const pod = (name: string, labels: object, cpu: string) =>
      client.apply({
        apiVersion: "v1",
        kind: "Pod",
        metadata: { namespace, name, labels },
        spec: { containers: [{ name: "main", image: "example/main", resources: { requests: { cpu } } }] },
      } as never);
    await pod("notebook", { "hub.jupyter.org/username": `ann-${tag}` }, "1500m");
    const ray = { "app.kubernetes.io/name": "ray", "app.kubernetes.io/instance": `main-${tag}-ray` };
    await pod("head", ray, "2");
    await pod("worker", ray, "250m");
    const labels = { hub_jupyter_org_username: `ann-${tag}` };
    server = openCost([{ namespace, pod: "notebook", labels, totalCost: 3.5 }], asked);
  });
  after(async () => {
    server.close();
    await project.remove();
    await client.remove({ apiVersion: "v1", kind: "Namespace", name: namespace });
  });

  async function usage(...args: string[]): Promise<Printed> {
    const { code, stdout, stderr } = await project.stackyard("usage", "here", "--json", ...args);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as Printed;
  }
  async function importState(text: string): Promise<void> {
    const file = path.join(project.folder, "state.json");
    writeFileSync(file, text);
    await project.must("pulumi", "stack", "import", "-s", "here", "--file", file);
  }
  const cpus = ({ usage: rows }: Printed): Record<string, number> =>
    Object.fromEntries(
      rows.filter(({ name }) => name.includes(tag)).map(({ kind, name, cpu }) => [`${kind} ${name}`, cpu]),
    );

  it("sums what runs by user, cluster of Ray and team, and says why there are no costs", async () => {
    const all = await usage();
    assert.deepEqual(cpus(all), { [`user ann-${tag}`]: 1.5, [`ray main-${tag}`]: 2.25 });
    assert.match(all.noCosts ?? "", /OpenCost is not installed/);
    assert.deepEqual(cpus(await usage("--by", "team")), { [`team team-${tag}`]: 3.75 });
    const { stdout, stderr } = await project.stackyard("usage", "here");
    assert.match(stdout, new RegExp(`^ray +main-${tag} +${namespace} +2 +2\\.25 `, "m"));
    assert.match(stdout, /^total /m);
    assert.match(stderr, /no costs: OpenCost is not installed/);
  });

  it("adds the costs of OpenCost, which it asks through the API server", async function () {
    const address = addressOfMachine();
    if (address === undefined) return this.skip();
    server.listen(0, address);
    await once(server, "listening");
    const service = { namespace, name: "opencost", port: 9003 };
    await behindService(client, service, address, (server.address() as AddressInfo).port);
    const labels = { "app.kubernetes.io/name": "opencost" };
    await client.apply({
      apiVersion: "v1",
      kind: "Service",
      metadata: { namespace, name: "opencost", labels },
      spec: { ports: [{ name: "http", port: 9003 }] },
    });
    const { noCosts, usage: rows } = await usage("--by", "user", "--since", "7d");
    assert.equal(noCosts, undefined);
    assert.equal(rows.find(({ name }) => name === `ann-${tag}`)?.cost, 3.5);
    assert.match(asked.join("\n"), /^GET \/allocation\/compute\?window=7d&aggregate=namespace%2Cpod&/m);
    const { stdout } = await project.stackyard("usage", "here", "--since", "7d");
    assert.match(stdout, / COST 7d$/m);
  });

  it("shows what a user may read who may list pods in one namespace only, and says what is unknown", async () => {
    const metadata = { namespace, name: "reader" };
    const group = "rbac.authorization.k8s.io";
    await client.apply({ apiVersion: "v1", kind: "ServiceAccount", metadata });
    const pods = { apiGroups: [""], resources: ["pods"], verbs: ["list"] };
    await client.apply({ apiVersion: `${group}/v1`, kind: "Role", metadata, rules: [pods] });
    const subjects = [{ kind: "ServiceAccount", ...metadata }];
    const roleRef = { apiGroup: group, kind: "Role", name: "reader" };
    await client.apply({ apiVersion: `${group}/v1`, kind: "RoleBinding", metadata, subjects, roleRef });
    const token = await project.must("kubectl", "create", "token", "reader", "-n", namespace, ...admin());
    // The command reads the kubeconfig of the stack's outputs.
    const exported = await project.must("pulumi", "stack", "export", "-s", "here", "--show-secrets");
    const state = JSON.parse(exported) as Exported;
    const outputs = state.deployment.resources.find(({ type }) => type === "pulumi:pulumi:Stack")!.outputs;
    const kubeconfig = load(readFileSync(project.place.kubeconfig, "utf8")) as { users: object[] };
    const users = kubeconfig.users.map((one) => ({ ...one, user: { token: token.trim() } }));
    outputs.kubeconfig.plaintext = JSON.stringify(JSON.stringify({ ...kubeconfig, users }));
    await importState(JSON.stringify(state));

    const { stdout, stderr, code } = await project.stackyard("usage", "here");
    assert.equal(code, 0, stderr);
    assert.match(stdout, new RegExp(`^ray +main-${tag} +${namespace} +2 +2\\.25 .* \\?$`, "m"));
    assert.match(stderr, new RegExp(`pods are known only in ${namespace}; the right to list them in all namespaces`));
    assert.match(stderr, /persistentvolumeclaims are known in no namespace/);
    assert.match(stderr, /no costs: .*it needs list of services/);
    const { usage: rows, unknown } = await usage();
    assert.equal(unknown?.length, 2);
    assert.ok(rows.every((one) => !("disk" in one)));

    await client.remove({ apiVersion: `${group}/v1`, kind: "RoleBinding", ...metadata });
    const none = await project.stackyard("usage", "here");
    assert.equal(none.code, 0, none.stderr);
    assert.match(none.stdout, /no pod can be read on the cluster of here/);
    await importState(exported);
  });
});
