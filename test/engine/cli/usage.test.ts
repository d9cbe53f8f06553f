import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "../../../kubernetes/connect/connect";
import type { Client } from "../../../kubernetes/client/client";
import { readFileSync } from "node:fs";
import { openCost } from "../../doubles/openCost";
import { addressOfMachine, behindService } from "../runtime/behindService";
import { testYard } from "../runtime/yard";
import { Project } from "./project";

const tag = randomBytes(3).toString("hex");
const namespace = `usage-${tag}`;

interface Printed {
  readonly noCosts?: string;
  readonly usage: readonly {
    readonly kind: string;
    readonly name: string;
    readonly cpu: number;
    readonly cost?: number;
  }[];
}

/** The API server is real; only OpenCost is a double. */
describe("stackyard usage", () => {
  let project: Project;
  let client: Client;
  let server: Server;
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
});
