import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";
import { TerasliceMaster } from "../../doubles/teraslice/master";
import { Pods } from "../../doubles/teraslice/pods";
import { Project } from "../cli/project";
import { addressOfMachine, giveAddress } from "../runtime/behindService";
import { testYard } from "../runtime/yard";
import { smallJob } from "./world";

/** Engine, provider and Kubernetes are real; behind each master's Service stands a double of its own. */
describe("several Teraslice masters of one platform", function () {
  this.timeout(120_000);
  const namespace = `ts-many-${randomBytes(3).toString("hex")}`;
  let project: Project;
  let client: Client;
  const doubles: Record<string, TerasliceMaster> = {};
  let base: Record<string, unknown>;

  const connectors = { "elasticsearch-next": { default: { node: ["http://search.svc:9200"] } } };
  const master = (port: number, more: object = {}) => ({
    image: "example/teraslice:1",
    settings: { port, kubernetes_namespace: namespace, cpu_execution_controller: 0.1, ...more },
    terafoundation: { connectors, prom_metrics_enabled: true, prom_metrics_port: 3333 },
  });
  let acme: Record<string, unknown>;
  let search: Record<string, unknown>;

  before(async function () {
    const address = addressOfMachine();
    if (address === undefined) return this.skip();
    const place = await testYard();
    client = connect(readFileSync(place.kubeconfig, "utf8"), undefined, {});
    await client.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    const ports: Record<string, number> = {};
    for (const name of ["acme", "search"]) {
      const double = new TerasliceMaster();
      double.pods = new Pods(client, namespace);
      ports[name] = await double.listen(0, address);
      doubles[name] = double;
    }
    const spec = { namespace: "runtimes", host: "http://*.runtimes.localhost", image: "example/runtime" };
    acme = master(ports["acme"] ?? 0, { name: "acme" });
    search = master(ports["search"] ?? 0);
    base = {
      cluster: { type: "existing", kubeconfig: { path: place.kubeconfig } },
      provisioners: { only: { type: "kubernetes", spec } },
      defaultProvisioner: "only",
    };
    project = new Project(place);
    await project.platform({ ...base, teraslice: acme });
    await answers("acme", address);
  });
  after(async () => {
    await project?.remove();
    for (const double of Object.values(doubles)) await double.stop();
    await client?.remove({ apiVersion: "v1", kind: "Namespace", name: namespace });
  });

  async function answers(name: string, address = addressOfMachine() ?? ""): Promise<void> {
    const label = `app.kubernetes.io/component=master,app.kubernetes.io/instance=${name}`;
    const [pod] = await client.list({ apiVersion: "v1", kind: "Pod", namespace }, { label });
    await giveAddress(client, namespace, pod?.metadata.name ?? "", address);
  }
  const pulumi = (...args: string[]) => project.must("pulumi", ...args, "-s", "here", "--non-interactive");
  const up = () => pulumi("up", "--yes", "--skip-preview");
  const namesAt = (name: string) => (doubles[name]?.jobs() ?? []).map((job) => job["name"]);

  it("are added without a change of the existing master", async () => {
    project.describe({ ...base, teraslice: acme, terasliceClusters: { search } });
    const text = await up();
    assert.match(text, /ManifestSet teraslice-search-objects created/);
    // The guard records the generation of the new part.
    assert.deepEqual(
      text.match(/^ [~+-].* (updated|replaced|deleted) /gm)?.filter((line) => !line.includes("data-guard")),
      [],
    );
    await answers("search");
    const outputs = JSON.parse(await pulumi("stack", "output", "--json")) as Record<string, Record<string, object>>;
    assert.equal(outputs["teraslice"]?.["service"], "acme-master");
    assert.deepEqual(Object.keys(outputs["terasliceClusters"] ?? {}), ["search"]);
  });

  it("support the options of upstream's chart if the cluster has the kinds", async () => {
    const around = {
      ingress: { hosts: [{ host: "search.example.com" }] },
      priorityClass: {},
      worker: { serviceAccount: {} },
      master: { containers: [{ name: "logs", image: "example/logs:1" }] },
    };
    const clusters = (more: object) => ({ search: { ...search, ...around, ...more } });
    const described = { ...base, teraslice: acme };
    project.describe({ ...described, terasliceClusters: clusters({ serviceMonitor: {} }) });
    await assert.rejects(pulumi("preview"), /monitoring\.coreos\.com\/v1.*ServiceMonitor|ServiceMonitor.*monitoring/s);
    project.describe({ ...described, terasliceClusters: clusters({}) });
    await up();
    search = { ...search, ...around };
    await answers("search");
    const ref = { apiVersion: "networking.k8s.io/v1", kind: "Ingress", namespace, name: "search-master" };
    assert.ok(await client.get(ref));
    await pulumi("preview", "--expect-no-changes", "--diff");
  });

  it("have their own jobs in one namespace, which commands distinguish", async () => {
    const jobs = { jobs: { events: smallJob("events") } };
    project.describe({
      ...base,
      teraslice: { ...acme, ...jobs },
      terasliceClusters: { search: { ...search, ...jobs } },
    });
    await up();
    assert.deepEqual([namesAt("acme"), namesAt("search")], [["events"], ["events"]]);
    const stackyard = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await project.stackyard("teraslice", ...args, "--stack", "here");
      assert.equal(code, 0, stdout + stderr);
      return stdout + stderr;
    };
    assert.match(await stackyard("stop", "events", "--cluster", "search", "--yes"), /job events is stopped/);
    const status = (name: string) => {
      const double = doubles[name];
      return double?.store.latest(String(double.jobs()[0]?.["job_id"]))?.["_status"];
    };
    assert.deepEqual(["acme", "search"].map(status), ["running", "stopped"]);
    assert.match(await stackyard("state"), /events +running/);
    assert.match(await stackyard("state", "--cluster", "search"), /events +stopped/);
    await pulumi("preview", "--expect-no-changes", "--diff");
  });
});
