import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildSchema } from "graphql";
import { readSchema } from "../../service/api/schema";
import { projectRoot } from "../../toolchain/root";
import { TraceReceiver } from "../doubles/traces";
import { kubernetesProvisioner } from "../engine/runtime/provisioner";
import { seededRandom } from "../../toolchain/tests/random";
import { randomQuery } from "../unit/service/api/randomQueries";
import { testDatabase } from "./database";
import { ADMIN, ask, follow, GLOBAL, OTHER, ServiceProcess } from "./process";
import { ImageFolder } from "./image";
import { TestService } from "./service";

const run = randomBytes(3).toString("hex");
const REQUESTS = Number(process.env["STACKYARD_FUZZ_REQUESTS"] ?? 2_000);
const AT_ONCE = 16;

describe("the service's process", () => {
  let place: TestService;
  let env: Record<string, string | undefined>;
  let service: ServiceProcess;
  let image: ImageFolder;
  const traces = new TraceReceiver();

  before(async function () {
    this.timeout(180_000);
    place = await TestService.start({
      defaultProvisioner: "pool",
      provisioners: {
        cluster: kubernetesProvisioner(`process-${run}`),
        pool: { type: "static", spec: { runtimes: [{ host: `http://${run}.localhost`, slots: 8 }] } },
      },
    });
    env = {
      ...place.project.place.env,
      APP_DATABASE_URL: place.place.url,
      APP_PLATFORM: "here",
      APP_LIMIT_REQUESTS_PER_MINUTE: "100000",
      ...(await traces.start()),
    };
    // From the files that its image has, and no others.
    image = new ImageFolder();
    service = await ServiceProcess.start(env, image.folder);
  });
  after(async () => {
    await service.stop();
    await place.remove();
    image.remove();
    await traces.stop();
  });

  it("creates a deployment's runtime and reports its progress", async () => {
    const asked = await ask(
      service.url,
      'mutation { provisionDeployment(id: "acme", deployment: { version: "1", provisioner: "cluster" }) { operation { id state } deployment { revision } } }',
    );
    assert.equal(asked.errors, undefined);
    const { operation } = asked.data?.["provisionDeployment"] as { operation: { id: string } };
    const events = await follow(service.url, operation.id);
    assert.ok(
      events.some((text) => /creating ManifestSet/.test(text)),
      events.join("\n"),
    );
    assert.equal(events.at(-1), "done");
    const { data } = await ask(
      service.url,
      '{ deployment(id: "acme") { runtime { host cpu } lastOperation { state stages { name state } } } runtimes { totalCount } }',
    );
    assert.deepEqual([data?.["deployment"].runtime.cpu, data?.["deployment"].lastOperation.state], [1, "succeeded"]);
    assert.equal(data?.["runtimes"].totalCount, 1);
  });

  it("sends one trace of a request and all its work", async () => {
    const path = ["engine up", "stage apply", "operation provision", "request"];
    const chain = (): (string | undefined)[] => {
      const [name = ""] = path;
      const names: (string | undefined)[] = [];
      let span = traces.spans.find((each) => each.name === name);
      for (; span !== undefined; span = traces.spans.find(({ spanId }) => spanId === span?.parentSpanId)) {
        names.push(span.name);
      }
      return names;
    };
    for (const until = Date.now() + 30_000; Date.now() < until && chain().length < path.length;) await sleep(100);
    assert.deepEqual(chain(), path);
    assert.deepEqual([...traces.services], ["stackyard-service"]);
  });

  it("plans a change and executes nothing", async () => {
    const { data, errors } = await ask(
      service.url,
      'mutation { updateDeployment(id: "acme", deployment: { slots: 2 }, dryRun: true) { plan { changes { action properties { path before after } } } operation { id } } }',
    );
    assert.equal(errors, undefined);
    const { plan, operation } = data?.["updateDeployment"] as {
      plan: { changes: { action: string; properties: { path: string; before: unknown; after: unknown }[] }[] };
      operation: unknown;
    };
    assert.equal(operation, null);
    const slots = plan.changes.flatMap(({ properties }) => properties).find(({ path }) => path.endsWith("slots"));
    assert.deepEqual([slots?.before, slots?.after], [1, 2]);
    const now = await ask(service.url, '{ deployment(id: "acme") { revision } operations { totalCount } }');
    assert.deepEqual([now.data?.["deployment"].revision, now.data?.["operations"].totalCount], [1, 1]);
  });

  it("reports the same faults as the command line, all at once", async () => {
    const wrong = 'deployment: { slots: 0, version: "a b", diskGb: -1 }';
    const { errors } = await ask(
      service.url,
      `mutation { provisionDeployment(id: "x", ${wrong}) { operation { id } } }`,
    );
    assert.match(errors?.[0]?.message ?? "", /slots: found 0; expected a whole number from 1/);
    assert.match(errors?.[0]?.message ?? "", /diskGb: found -1; expected a number of GiB above 0/);
    const { stderr } = await place.project.stackyard("runtime", "preview", "x", "--version", "a b");
    assert.match(stderr, /expected an image tag in quotes, such as "0\.50\.2"/);
    assert.match(errors?.[0]?.message ?? "", /expected an image tag in quotes, such as "0\.50\.2"/);
  });

  it("rejects at once, like the command line, requests that no provisioner of the platform can serve", async () => {
    const cases: Readonly<Record<string, readonly [deployment: string, path: string, flags: readonly string[]]>> = {
      cluster: ['{ provisioner: "pool", cluster: {} }', "cluster", []],
      unknown: ['{ version: "1", provisioner: "poll" }', "provisioner", ["--version", "1", "--provisioner", "poll"]],
      clickhouse: [
        '{ version: "1", resources: { clickhouse: {} } }',
        "resources.clickhouse",
        ["--version", "1", "--clickhouse", "default"],
      ],
    };
    for (const [id, [deployment, path, flags]] of Object.entries(cases)) {
      for (const dryRun of [true, false]) {
        const { errors } = await ask(
          service.url,
          `mutation { provisionDeployment(id: "${id}", deployment: ${deployment}, dryRun: ${dryRun}) { operation { id } } }`,
        );
        const { code, path: at, reason, status } = errors?.[0]?.extensions ?? {};
        assert.deepEqual([code, at, status], ["BAD_INPUT", path, 400], JSON.stringify(errors));
        if (flags.length === 0 || dryRun) continue;
        const { stderr } = await place.project.stackyard("runtime", "preview", id, "--slots", "1", ...flags);
        assert.ok(stderr.includes(String(reason)), `${stderr}\n${String(reason)}`);
      }
    }
    const without = await ask(
      service.url,
      'mutation { provisionDeployment(id: "x", deployment: { version: "1", kyma: { version: "2.20.0" } }) { operation { id } } }',
    );
    assert.match(without.errors?.[0]?.message ?? "", /^kyma: found .*; expected nothing without cluster$/);
    const { data } = await ask(service.url, "{ deployments(filter: { deleted: true }) { nodes { id } } }");
    assert.deepEqual(data?.["deployments"].nodes, [{ id: "acme" }]);
  });

  it("rejects a missing platform at once", async () => {
    for (const dryRun of [true, false]) {
      const { errors } = await ask(
        service.url,
        `mutation { provisionDeployment(id: "lost", platform: "nowhere", deployment: { version: "1" }, dryRun: ${dryRun}) { operation { id } } }`,
      );
      const { code, path, reason } = errors?.[0]?.extensions ?? {};
      assert.deepEqual([code, path], ["BAD_INPUT", "platform"], JSON.stringify(errors));
      assert.match(
        String(reason),
        /"organization\/stackyard\/nowhere", which does not exist; expected a platform stack/,
      );
    }
  });

  it("hides one tenant's data from another", async () => {
    const theirs = await ask(
      service.url,
      '{ deployment(id: "acme") { id } deployments { totalCount } audit { totalCount } }',
      OTHER,
    );
    assert.equal(theirs.errors?.[0]?.extensions["code"], "FORBIDDEN");
    const { data } = await ask(service.url, '{ deployment(id: "acme") { id } deployments { totalCount } }', OTHER);
    assert.deepEqual([data?.["deployment"], data?.["deployments"].totalCount], [null, 0]);
    const changed = await ask(service.url, 'mutation { hibernateDeployment(id: "acme") { operation { id } } }', OTHER);
    const missing = await ask(
      service.url,
      'mutation { hibernateDeployment(id: "nobody") { operation { id } } }',
      OTHER,
    );
    assert.deepEqual(
      changed.errors?.[0]?.extensions,
      JSON.parse(JSON.stringify(missing.errors?.[0]?.extensions).replaceAll("nobody", "acme")),
    );
  });

  it("creates a separate runtime of the same id for another tenant", async () => {
    const asked = await ask(
      service.url,
      'mutation { provisionDeployment(id: "acme", deployment: { version: "1" }) { operation { id } deployment { id stack } } }',
      OTHER,
    );
    assert.equal(asked.errors, undefined);
    const { operation, deployment } = asked.data?.["provisionDeployment"] as {
      operation: { id: string };
      deployment: { id: string; stack: string };
    };
    assert.equal(deployment.id, "acme");
    assert.match(deployment.stack, /^acme-[0-9a-f]{8}$/);
    assert.equal((await follow(service.url, operation.id, OTHER)).at(-1), "done");
    const all = "{ deployments { nodes { id tenant runtime { deployment provisioner } } } operations { totalCount } }";
    const [own, theirs] = await Promise.all([ask(service.url, all), ask(service.url, all, OTHER)]);
    const runtimes = [own, theirs].map(({ data }) => data?.["deployments"].nodes as unknown);
    const has = (provisioner: string) => ({ deployment: "acme", provisioner });
    assert.deepEqual(runtimes, [
      [{ id: "acme", tenant: "red", runtime: has("cluster") }],
      [{ id: "acme", tenant: "blue", runtime: has("pool") }],
    ]);
    const gone = 'mutation { deprovisionDeployment(id: "acme") { operation { id deploymentId } } }';
    const { data } = await ask(service.url, gone, OTHER);
    const last = data?.["deprovisionDeployment"].operation as { id: string; deploymentId: string };
    assert.equal(last.deploymentId, "acme");
    assert.equal((await follow(service.url, last.id, OTHER)).at(-1), "done");
    assert.deepEqual((await ask(service.url, all)).data?.["deployments"], own.data?.["deployments"]);
  });

  it("records changes that a role does not allow in the audit trail", async () => {
    const refused = await ask(service.url, 'mutation { unprotectDeployment(id: "acme") { deployment { id } } }');
    assert.equal(refused.errors?.[0]?.extensions["code"], "FORBIDDEN");
    const audit = '{ audit(filter: { outcome: "FORBIDDEN" }) { nodes { actor action target } } }';
    const { data } = await ask(service.url, audit, ADMIN);
    assert.deepEqual(data?.["audit"].nodes, [
      { actor: "static-token-1", action: "unprotectDeployment", target: "acme" },
    ]);
  });

  it("serves capacity, readiness and metrics", async () => {
    const { data } = await ask(
      service.url,
      "{ provisioners { name type slotsTotal slotsFree runtimes hosts { host } } }",
    );
    const [cluster, pool] = data?.["provisioners"] as { runtimes: number; slotsTotal: number; hosts: unknown[] }[];
    assert.deepEqual([cluster?.runtimes, pool?.slotsTotal, pool?.hosts], [1, 8, []]);
    const ready = (await (await fetch(`${service.url}/readyz`)).json()) as { ready: boolean };
    assert.equal(ready.ready, true);
    const metrics = await service.metrics();
    assert.match(metrics, /stackyard_deployments 1\n/);
    assert.match(metrics, /stackyard_operations\{kind="provision",state="succeeded"\} 2/);
    const page = await fetch(`${service.url}/graphql`, { headers: { accept: "text/html" } });
    assert.match(await page.text(), /<title>Stackyard/);
  });

  it("plans a rollout of the platform, and lists and adopts orphans", async () => {
    const asked = await ask(
      service.url,
      'mutation { refreshPlatform(platform: "here", dryRun: true) { id state } }',
      ADMIN,
    );
    assert.equal(asked.errors, undefined);
    const { id } = asked.data?.["refreshPlatform"] as { id: string };
    const rollout = `{ rollout(id: "${id}") { state message items { deploymentId state } } }`;
    let found = await ask(service.url, rollout, ADMIN);
    for (const until = Date.now() + 30_000; found.data?.["rollout"].state === "planning" && Date.now() < until;) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      found = await ask(service.url, rollout, ADMIN);
    }
    assert.deepEqual(found.data?.["rollout"], {
      state: "planned",
      message: "0 of 1 would change",
      items: [{ deploymentId: "acme", state: "unchanged" }],
    });
    const made = await place.project.stackyard("runtime", "up", "by-hand", "--version", "1");
    assert.equal(made.code, 0, made.stderr);
    const { data, errors } = await ask(service.url, "{ orphans { nodes { kind id provisioner } unseen } }", GLOBAL);
    assert.equal(errors, undefined);
    assert.deepEqual(data?.["orphans"], { nodes: [{ kind: "stack", id: "by-hand", provisioner: "pool" }], unseen: [] });
    assert.equal(
      (await ask(service.url, "{ orphans { unseen } }", ADMIN)).errors?.[0]?.extensions["code"],
      "FORBIDDEN",
    );
    const adopted = await ask(
      service.url,
      'mutation { adoptDeployment(id: "by-hand") { tenant provisioner } }',
      GLOBAL,
      "blue",
    );
    assert.deepEqual(adopted.data?.["adoptDeployment"], { tenant: "blue", provisioner: "pool" });
  });

  it(`answers ${REQUESTS} random requests without an internal error`, async function () {
    this.timeout(240_000);
    const seed = Number(process.env["STACKYARD_FUZZ_SEED"] ?? Math.floor(Math.random() * 1e9));
    const schema = buildSchema(readSchema(join(projectRoot(), "service", "api")));
    const next = seededRandom(seed);
    // A plan costs a run of the engine; a few of them are enough.
    const queries = Array.from({ length: REQUESTS }, (_, at) =>
      randomQuery(schema, next).replaceAll("dryRun: true", at % 200 === 0 ? "dryRun: true" : "dryRun: false"),
    );
    const some = async (): Promise<void> => {
      for (let query = queries.pop(); query !== undefined; query = queries.pop()) {
        const { status, errors } = await ask(service.url, query);
        assert.ok(status < 500, `${query} (STACKYARD_FUZZ_SEED=${seed})`);
        const wrong = errors?.find(({ extensions }) => extensions["code"] === "INTERNAL");
        assert.equal(wrong, undefined, `${query} (STACKYARD_FUZZ_SEED=${seed})\n${service.log.slice(-2000)}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, some));
    assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
  });

  it("runs next to another process and stops without losing its running operation", async () => {
    const second = await ServiceProcess.start(env);
    const asked = await ask(
      second.url,
      'mutation { provisionDeployment(id: "last", deployment: { version: "1", provisioner: "cluster" }) { operation { id } } }',
    );
    const { operation } = asked.data?.["provisionDeployment"] as { operation: { id: string } };
    const { code, said } = await second.stop();
    assert.equal(code, 0, said);
    await follow(service.url, operation.id);
    const { data } = await ask(service.url, `{ operation(id: "${operation.id}") { state error { reason } } }`);
    assert.deepEqual(data?.["operation"], { state: "succeeded", error: null });
  });

  it("writes nothing into its image folder", () => {
    assert.deepEqual(image.changes(), []);
  });

  it("does not start on an address in use or with an invalid environment", async () => {
    const taken = await ServiceProcess.begin({ ...env, APP_ADDRESS: new URL(service.url).host }).ended;
    assert.equal(taken.code, 1);
    assert.match(taken.said, /APP_ADDRESS: [\d.:]+ cannot be listened on: another program uses it/);
    const wrong = await ServiceProcess.begin({ ...env, APP_WORKERS: "many", APP_LOG_LEVEL: "loud" }).ended;
    assert.equal(wrong.code, 2);
    assert.match(
      wrong.said,
      /The environment has 2 faults; the service was not started\.\n {2}- APP_LOG_LEVEL.*\n {2}- APP_WORKERS/,
    );
  });

  it("runs only the migrations when instructed to", async () => {
    const empty = await testDatabase(false);
    try {
      // A Job that runs them has no more than the database.
      const own = { PATH: process.env["PATH"], APP_DATABASE_URL: empty.url, APP_STATIC_TOKENS: "" };
      const { code, said } = await ServiceProcess.begin(own, ["migrate"], image.folder).ended;
      assert.equal(code, 0, said);
      assert.match(said, /"migrations":\["0001_operations"/);
      const { rows } = await empty.pool.query<{ count: string }>("select count(*) from deployment");
      assert.equal(rows[0]?.count, "0");
    } finally {
      await empty.remove();
    }
  });

  it("prints its help from the files of its image, whatever the environment lacks", async () => {
    const nothing = { PATH: process.env["PATH"], APP_STATIC_TOKENS: "" };
    const { code, said } = await ServiceProcess.begin(nothing, ["--help"], image.folder).ended;
    assert.equal(code, 0, said);
    assert.match(said, /^Usage: stackyard-service \[command\]/);
  });

  it("reports an unreachable database and continues once it answers", async () => {
    const away = ServiceProcess.begin({ ...env, APP_DATABASE_URL: "postgres://me:hidden@127.0.0.1:1/none" });
    for (const until = Date.now() + 15_000; !away.log.includes("does not answer yet") && Date.now() < until;) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.match(away.log, /the database does not answer yet/);
    assert.doesNotMatch(away.log, /hidden/);
    await away.stop("SIGKILL");
  });
});
