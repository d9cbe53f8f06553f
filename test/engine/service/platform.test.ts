import assert from "node:assert/strict";
import { load } from "js-yaml";
import { stackFileOf } from "../../fixtures/pages";
import { testYard } from "../runtime/yard";
import { World } from "../runtime/world";
import { addMonitors, removeMonitors } from "./monitors";
import { secure } from "../../tools/warmPulumi/stackFile";

const DATABASE = "postgres://service:s3cret-of-the-database@db:5432/service";
const SERVICE = "stackyard-service";

/** The example of the page, on the yard: the chart is applied and awaited, pods are simulated. */
describe("the provisioning service on a platform", function () {
  this.timeout(180_000);
  let world: World;
  let namespace: string;

  before(async () => {
    world = new World(await testYard());
    namespace = `service-${world.tag}`;
  });
  after(async () => {
    await removeMonitors(world);
    await world.kubectl("delete", "namespace", namespace, "--ignore-not-found", "--wait=false");
    world.remove();
  });

  const names = async (kinds: string): Promise<string[]> => {
    const { items = [] } = await world.get(
      "-n",
      namespace,
      kinds,
      "-l",
      "app.kubernetes.io/instance=stackyard-service",
    );
    return items.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();
  };
  const up = () => world.must("platform", "up", "-s", world.tag, "--yes", "--skip-preview");
  const set = (...args: string[]) => world.must("platform", "config", "set", "-s", world.tag, "--path", ...args);

  it("is deployed as documented, with its migrations run", async () => {
    const { config } = load(stackFileOf("docs/service-deployment.md")) as { config: Record<string, object> };
    const local = Object.fromEntries(Object.entries(config).map(([key, value]) => [key.replace(/^.*:/, ""), value]));
    const { secrets, ...service } = local["service"] as Record<string, object>;
    assert.deepEqual(Object.keys(secrets ?? {}), ["databaseUrl", "stateBackend", "passphrase", "encryptionKeys"]);
    const cluster = { type: "existing", kubeconfig: { path: world.place.kubeconfig } };
    const given = {
      databaseUrl: secure(DATABASE),
      passphrase: secure("s3cret-passphrase"),
      encryptionKeys: secure(`k1:${"s3cretKey".padEnd(43, "A")}=`),
    };
    await world.configurePlatform({ ...local, cluster, service: { ...service, namespace, secrets: given } });
    const text = await up();
    assert.doesNotMatch(text, /s3cret/);

    const { status, spec } = await world.get("-n", namespace, "deployment", SERVICE);
    assert.deepEqual([status.readyReplicas, spec.template.spec.automountServiceAccountToken], [2, false]);
    const kinds = "deployments,services,poddisruptionbudgets,networkpolicies,ingresses,serviceaccounts";
    assert.deepEqual(
      (await names(kinds)).map((each) => each.split(" ")[0]),
      ["Deployment", "Ingress", "NetworkPolicy", "PodDisruptionBudget", "Service", "ServiceAccount"],
    );
    const { items: [job] = [] } = await world.get("-n", namespace, "jobs");
    assert.equal(job?.status.succeeded, 1);
    const { data } = (await world.get("-n", namespace, "secret", SERVICE)) as unknown as {
      data: { databaseUrl: string };
    };
    assert.equal(Buffer.from(data.databaseUrl, "base64").toString(), DATABASE);
    const { env } = (spec.template.spec as { containers: [{ env: { name: string; value?: string }[] }] }).containers[0];
    assert.equal(env.find(({ name }) => name === "APP_PLATFORM")?.value, `organization/stackyard/${world.tag}`);
  });

  it("shows no changes afterwards, and its pods pass the restricted Pod Security level", async () => {
    await world.must("platform", "preview", "-s", world.tag, "--expect-no-changes", "--diff");
    const { metadata } = await world.get("namespace", namespace);
    assert.equal(metadata.labels?.["pod-security.kubernetes.io/enforce"], "restricted");
    const outputs = JSON.parse(await world.must("platform", "stack", "output", "-s", world.tag, "--json")) as {
      service: { url: string };
    };
    assert.equal(outputs.service.url, "https://stackyard.example.com/");
    assert.doesNotMatch(await world.must("platform", "stack", "export", "-s", world.tag), /s3cret/);
  });

  it("gets a ServiceMonitor once the cluster has that kind", async () => {
    await addMonitors(world);
    await up();
    assert.deepEqual(await names("servicemonitors"), [`ServiceMonitor ${SERVICE}`]);
  });

  it("runs the migrations again and restarts its pods when a secret changes", async () => {
    const revision = async () => {
      const { spec } = await world.get("-n", namespace, "deployment", SERVICE);
      const { items: jobs = [] } = await world.get("-n", namespace, "jobs");
      const annotations = spec.template.metadata.annotations as Record<string, string>;
      return [annotations["stackyard.dev/secret"], jobs.map(({ metadata }) => metadata.name).join()];
    };
    const [checksum, job] = await revision();
    await set("--secret", "stackyard:service.secrets.databaseUrl", DATABASE.replace("s3cret", "s3cret-new"));
    await up();
    const [newChecksum, newJob] = await revision();
    assert.notEqual(newChecksum, checksum);
    assert.notEqual(newJob, job);
    assert.ok(!newJob?.includes(","), "the Job of before is gone");
  });

  it("is deleted without its namespace when disabled, and reports what stays", async () => {
    await set("--plaintext", "stackyard:service.enabled", "false");
    assert.match(await up(), /stackyard:service is disabled: its API and status page end/);
    assert.deepEqual(await names("all,secrets,networkpolicies,ingresses,serviceaccounts,servicemonitors"), []);
    assert.equal((await world.get("namespace", namespace)).metadata.name, namespace);
  });
});
