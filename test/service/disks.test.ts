import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { textAt } from "../../kubernetes/objects/objects";
import { connect } from "../../kubernetes/connect/connect";
import { kubernetesProvisioner } from "../engine/runtime/provisioner";
import { ADMIN, ask, follow, GLOBAL, OTHER, ServiceProcess, stackOf, TOKEN, type Reply } from "./process";
import { TestService } from "./service";

const run = randomBytes(3).toString("hex");
const namespace = `disks-${run}`;
const LIST = "{ keptDisks { totalCount totalGib nodes { name deployment tenant gib keptAt } unseen } }";

describe("kept disks in the service's process", () => {
  let place: TestService;
  let service: ServiceProcess;

  before(async function () {
    this.timeout(180_000);
    place = await TestService.start({
      defaultProvisioner: "cluster",
      provisioners: { cluster: kubernetesProvisioner(namespace, { claimsWhenDeleted: "Retain" }) },
    });
    const env = { APP_DATABASE_URL: place.place.url, APP_PLATFORM: "here" };
    service = await ServiceProcess.start({ ...place.project.place.env, ...env });
  });
  after(async () => {
    // Other tests count the kept disks of the cluster.
    for (const id of ["acme", "by-hand"]) await done(deprovision(id));
    const { errors } = await asked(remove(await namesFor(GLOBAL)), GLOBAL);
    assert.equal(errors, undefined);
    await service.stop();
    await place.remove();
  });

  const asked = (query: string, token?: string, tenant?: string): Promise<Reply> =>
    ask(service.url, query, token, tenant);
  const errorOf = ({ errors }: Reply) => [errors?.[0]?.extensions["code"], errors?.[0]?.extensions["path"]];
  /** Asks for an operation and waits for its end. */
  async function done(mutation: string, token = TOKEN): Promise<void> {
    const { data, errors } = await asked(`mutation { ${mutation} { operation { id } } }`, token);
    assert.equal(errors, undefined, JSON.stringify(errors));
    const { operation } = Object.values(data ?? {})[0] as { operation: { id: string } };
    assert.equal((await follow(service.url, operation.id, token)).at(-1), "done");
  }
  const provision = (id: string, more = ""): string =>
    `provisionDeployment(id: "${id}", deployment: { version: "1" }${more})`;
  const deprovision = (id: string): string => `deprovisionDeployment(id: "${id}")`;
  const remove = (names: readonly string[], more = ""): string =>
    `mutation { deleteKeptDisks(names: ${JSON.stringify(names)}${more}) { totalGib disks { name deployment } } }`;
  const client = () => connect(readFileSync(place.project.place.kubeconfig, "utf8"), undefined, {});
  const volumeOf = async (name: string): Promise<string | undefined> => {
    const claim = await client().get({ apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name });
    return claim && textAt(claim, "spec", "volumeName");
  };
  const namesFor = async (token: string): Promise<string[]> => {
    const { data, errors } = await asked(LIST, token);
    assert.equal(errors, undefined);
    assert.deepEqual(data?.["keptDisks"].unseen, []);
    const names = (data?.["keptDisks"].nodes as { name: string }[]).map(({ name }) => name);
    return names.filter((name) => name.startsWith(`${namespace}/`)); // Other tests use the cluster too.
  };

  const claim = `data-runtime-${stackOf("acme")}-0`;
  const first = `${namespace}/${claim}`;
  let volume: string | undefined;

  it("are listed with owner, size and age only for the tenant of the deprovisioned deployment", async () => {
    await done(provision("acme"));
    assert.deepEqual(await namesFor(TOKEN), []);
    volume = await volumeOf(claim);
    await done(deprovision("acme"));
    const { data } = await asked(LIST);
    const { totalCount, totalGib, nodes } = data?.["keptDisks"] as {
      totalCount: number;
      totalGib: number;
      nodes: { name: string; deployment: string; tenant: string; gib: number; keptAt: string }[];
    };
    const [disk] = nodes;
    assert.deepEqual([totalCount, totalGib], [1, disk?.gib]);
    assert.deepEqual([disk?.name, disk?.deployment, disk?.tenant, disk?.gib], [first, "acme", "red", 40]);
    assert.ok(Math.abs(Date.now() - Date.parse(disk?.keptAt ?? "")) < 300_000);
    assert.deepEqual(await namesFor(OTHER), []);
    assert.deepEqual(await namesFor(GLOBAL), [first]);
  });

  it("are reported as missing to another tenant, in plan and request", async () => {
    for (const disk of [first, `${namespace}/nothing`]) {
      for (const dryRun of [true, false]) {
        const more = `, disk: "${disk}", dryRun: ${dryRun}`;
        const answer = await asked(`mutation { ${provision("theirs", more)} { operation { id } } }`, OTHER);
        assert.deepEqual(errorOf(answer), ["NOT_FOUND", "disk"], JSON.stringify(answer));
        assert.match(answer.errors?.[0]?.message ?? "", /expected a kept disk of theirs and its tenant in namespace/);
      }
    }
    assert.deepEqual(errorOf(await asked(remove([first]), OTHER)), ["NOT_FOUND", "names"]);
    assert.deepEqual(errorOf(await asked(remove([first, "x/nothing"]))), ["NOT_FOUND", "names"]);
    assert.equal(await volumeOf(claim), volume);
    const { data } = await asked("{ operations { totalCount } }", OTHER);
    assert.equal(data?.["operations"].totalCount, 0);
  });

  it("are not used by a new deployment of the same id until one names them", async () => {
    await done(provision("acme"));
    assert.notEqual(await volumeOf(claim), volume);
    const [kept = ""] = await namesFor(TOKEN);
    assert.match(kept, new RegExp(`^${namespace}/kept-[0-9a-f]{8}-${claim}$`));
    await done(deprovision("acme"));
    const planned = (id: string) =>
      asked(`mutation { ${provision(id, `, disk: "${kept}", dryRun: true`)} { plan { notes } } }`);
    assert.deepEqual(errorOf(await planned("next")), ["NOT_FOUND", "disk"], "it is of another deployment");
    const plan = await planned("acme");
    assert.equal(plan.errors, undefined, JSON.stringify(plan.errors));
    await done(provision("acme", `, disk: "${kept}"`));
    assert.equal(await volumeOf(claim), volume);
    const [second = "", ...others] = await namesFor(TOKEN);
    assert.deepEqual(others, []);
    const [, name = ""] = second.split("/");
    await client().remove({ apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name });
    await done(deprovision("acme"));
    assert.deepEqual(await namesFor(TOKEN), [first]);
  });

  it("of a protected deployment are not deleted by the service or the command line", async () => {
    await done(provision("acme", `, disk: "${first}"`));
    await done(deprovision("acme"));
    await done(provision("acme"));
    const [kept = ""] = await namesFor(TOKEN);
    const { errors } = await asked('mutation { protectDeployment(id: "acme") { deployment { protected } } }');
    assert.equal(errors, undefined);
    for (const more of ["", ", dryRun: true"]) {
      assert.deepEqual(errorOf(await asked(remove([kept], more))), ["PROTECTED", "names"]);
    }
    await done('updateDeployment(id: "acme", deployment: { version: "2" })');
    const { code, stderr } = await place.project.stackyard("runtime", "disks", "--remove", kept, "--yes");
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`deployment "${stackOf("acme")}" is protected, so nothing was changed`));
    assert.deepEqual(await namesFor(TOKEN), [kept]);
    await asked('mutation { unprotectDeployment(id: "acme") { deployment { protected } } }', ADMIN);
    await done('updateDeployment(id: "acme", deployment: { version: "3" })');
  });

  it("are deleted by name once, after a dry run, and recorded in the audit trail", async () => {
    const [kept = ""] = await namesFor(TOKEN);
    const deleted = { totalGib: 40, disks: [{ name: kept, deployment: "acme" }] };
    const plan = await asked(remove([kept], ", dryRun: true"));
    assert.deepEqual(plan.data?.["deleteKeptDisks"], deleted, JSON.stringify(plan));
    assert.deepEqual(await namesFor(TOKEN), [kept]);
    const key = ', idempotencyKey: "delete-1"';
    for (let time = 0; time < 2; time++) {
      const answer = await asked(remove([kept], key));
      assert.deepEqual(answer.data?.["deleteKeptDisks"], deleted, JSON.stringify(answer));
    }
    assert.deepEqual(await namesFor(TOKEN), []);
    assert.equal(await volumeOf(kept.split("/")[1] ?? ""), undefined);
    assert.deepEqual(errorOf(await asked(remove([kept]))), ["NOT_FOUND", "names"]);
    assert.deepEqual(errorOf(await asked(remove(["x/y"], key))), ["CONFLICT", "idempotencyKey"]);
    const audit =
      '{ audit(filter: { action: "deleteKeptDisks", outcome: "accepted" }) { nodes { actor target details } } }';
    const { data } = await asked(audit, ADMIN);
    const [entry, ...others] = data?.["audit"].nodes as {
      target: string;
      details: { disks: { name: string; gib: number }[] };
    }[];
    assert.deepEqual([entry?.target, others], [kept, []]);
    assert.deepEqual(
      entry?.details.disks.map(({ name, gib }) => [name, gib]),
      [[kept, 40]],
    );
  });

  it("are visible only to administrators of all tenants if the service does not know the stack", async () => {
    const stack = stackOf("by-hand");
    await place.project.runtime("up", stack, "--version", "1");
    await place.project.runtime("destroy", stack, "--yes");
    const disk = `${namespace}/data-runtime-${stack}-0`;
    assert.deepEqual(await namesFor(TOKEN), []);
    assert.deepEqual(await namesFor(GLOBAL), [disk]);
    await done(provision("by-hand"));
    assert.deepEqual(await namesFor(TOKEN), [], "it was kept before the tenant had the stack");
    const [kept = ""] = await namesFor(GLOBAL);
    assert.deepEqual(errorOf(await asked(remove([kept], ""), ADMIN)), ["NOT_FOUND", "names"]);
    assert.equal((await asked(remove([kept]), GLOBAL)).errors, undefined);
    assert.deepEqual(await namesFor(GLOBAL), []);
  });
});
