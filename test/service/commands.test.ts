import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { Ended } from "../engine/cli/project";
import { kubernetesProvisioner } from "../engine/runtime/provisioner";
import { ADMIN, ServiceProcess, stackOf } from "./process";
import { TestService } from "./service";

const run = randomBytes(3).toString("hex");

type Json = Readonly<Record<string, unknown>>;

/** What a user sees, without ids, stacks and durations, which differ. */
const plain = (text: string, id: string): string =>
  text
    .replaceAll(stackOf(id), "ID")
    .replaceAll(id, "ID")
    .replace(/\d+(\.\d+)? s\b/g, "N s");

/** Without lines of progress, which the engine has more of than the service. */
const results = (stderr: string, id: string): string => plain(stderr, id).replace(/^ {2}.*\n/gm, "");

describe("the runtime commands with and without a service", () => {
  let place: TestService;
  let service: ServiceProcess;

  before(async function () {
    this.timeout(180_000);
    place = await TestService.start({
      defaultProvisioner: "cluster",
      provisioners: {
        cluster: kubernetesProvisioner(`commands-${run}`),
        pool: { type: "static", spec: { runtimes: [{ host: `http://${run}.localhost`, slots: 8 }] } },
      },
    });
    const own = { APP_DATABASE_URL: place.place.url, APP_PLATFORM: "here" };
    service = await ServiceProcess.start({ ...place.project.place.env, ...own });
    Object.assign(place.project.place.env, { STACKYARD_TOKEN: ADMIN, STACKYARD_PLATFORM: "here" });
  });
  after(async () => {
    await service.stop();
    await place.remove();
  });

  const SELF = "by-itself";
  const THROUGH = "through-service";
  const command = (id: string, ...args: readonly string[]): Promise<Ended> => {
    const how = id === THROUGH ? ["--service", `${service.url}/graphql`] : [];
    return place.project.stackyard("runtime", ...args, ...how);
  };
  const both = async (verb: string, ...args: readonly string[]): Promise<[Ended, Ended]> => [
    await command(SELF, verb, SELF, ...args),
    await command(THROUGH, verb, THROUGH, ...args),
  ];

  /** Runs a verb both ways; its exit codes, its output and its last lines for users must be the same. */
  async function same(verb: string, ...args: readonly string[]): Promise<Ended> {
    const [alone, through] = await both(verb, ...args);
    assert.equal(through.code, alone.code, `${alone.stderr}\n${through.stderr}`);
    assert.equal(plain(through.stdout, THROUGH), plain(alone.stdout, SELF));
    assert.equal(results(through.stderr, THROUGH), results(alone.stderr, SELF));
    return alone;
  }

  const keysOf = (value: unknown): unknown =>
    value !== null && typeof value === "object" && !Array.isArray(value) ? Object.keys(value).sort() : typeof value;

  it("create a runtime and then find nothing to change", async () => {
    const { stderr } = await same("up", "--version", "1");
    assert.match(stderr, /by-itself is ready/);
    assert.match((await same("up")).stderr, /is ready, nothing changed/);
  });

  it("print results in the same format", async () => {
    const [alone, through] = (await both("up", "--slots", "2", "--json")).map(
      ({ stdout }) => JSON.parse(stdout) as Json,
    );
    assert.deepEqual(keysOf(through), keysOf(alone));
    assert.deepEqual(keysOf(through?.["outputs"]), keysOf(alone?.["outputs"]));
    assert.deepEqual(through?.["changes"], alone?.["changes"]);
  });

  it("show the same details of a runtime", async () => {
    const [alone, through] = (await both("status", "-o", "json")).map(({ stdout }) => JSON.parse(stdout) as Json);
    const { service: known, ...rest } = through ?? {};
    assert.deepEqual(keysOf(known), [
      ...["drift", "health", "lastOperation", "lifetime", "protected", "revision", "stack", "tenant"],
    ]);
    const own = alone ?? {};
    assert.deepEqual(keysOf(rest), keysOf(own));
    const contents = ({ consistsOf, conditions }: Json, id: string): string =>
      plain(JSON.stringify([consistsOf, conditions]), id).replace(
        /10\.0\.0\.\d+|on on-demand-\w|"since":"[^"]+"/g,
        "HERE",
      );
    assert.equal(contents(rest, THROUGH), contents(own, SELF));
    assert.match(contents(own, SELF), /StatefulSet.*"state":"ready"/);
    for (const field of ["outdated", "state", "version", "slots", "environment", "platform", "provisioner", "cpu"]) {
      assert.deepEqual([field, rest[field]], [field, own[field]]);
    }
    const lists = (
      await Promise.all([command(SELF, "list", "-o", "json"), command(THROUGH, "list", "-o", "json")])
    ).map(({ stdout }) => JSON.parse(stdout) as (Json & { id: string })[]);
    // By itself, a runtime is found by the name of its stack.
    const [ours, theirs] = lists.map((list, at) => list.find(({ id }) => id === [stackOf(THROUGH), THROUGH][at]));
    assert.deepEqual(keysOf(theirs), keysOf({ ...ours, service: known }));
    assert.deepEqual(theirs?.["change"] && keysOf(theirs["change"]), keysOf(ours?.["change"]));
  });

  it("preview a change and reject an invalid one", async () => {
    assert.match((await same("preview", "--slots", "3")).stdout, /1 resource to change/);
    const limited = ["new-1", "--version", "1", "--provisioner", "pool", "--time-to-live", "7d"];
    assert.match((await command(THROUGH, "preview", ...limited)).stdout, /hibernated .*time to live/);
    const [alone, through] = await both("up", "--version", "a b");
    assert.deepEqual([alone.code, through.code], [2, 2]);
    assert.equal(results(through.stderr, THROUGH), results(alone.stderr, SELF));
    const moves = await both("up", "--provisioner", "pool");
    assert.deepEqual(
      moves.map(({ code }) => code),
      [1, 1],
    );
  });

  it("hibernate, wake and check a runtime", async () => {
    assert.match((await same("hibernate")).stderr, /is hibernated/);
    assert.match((await same("wake")).stderr, /is awake/);
  });

  it("protect a runtime against destroy", async () => {
    assert.match((await same("protect")).stderr, /is protected/);
    for (const { code, stderr } of await both("destroy", "--yes")) {
      assert.equal(code, 1);
      assert.match(stderr, /is protected/);
    }
    await same("unprotect");
  });

  it("return at once with --no-wait and follow the operation by its id", async () => {
    const { stdout, stderr, code } = await command(THROUGH, "up", THROUGH, "--slots", "1", "--no-wait", "--json");
    assert.equal(code, 0, stderr);
    const { operation } = JSON.parse(stdout) as { operation: { id: string; kind: string } };
    assert.equal(operation.kind, "update");
    const shown = ["operations", "show", operation.id, "--watch", "--service", `${service.url}/graphql`];
    const ended = await place.project.stackyard(...shown);
    assert.equal(ended.code, 0, ended.stderr);
    assert.match(ended.stdout, /update of through-service succeeded/);
  });

  it("change many runtimes at once", async () => {
    const ids = ["many-1", "many-2"];
    const up = ["up", ...ids, "--version", "1", "--parallel", "2", "--provisioner", "pool"];
    const through = await command(THROUGH, ...up);
    assert.equal(through.code, 0, through.stderr);
    assert.match(through.stderr, /2 runtimes ready, 0 failed/);
    const down = await command(THROUGH, "destroy", ...ids, "missing", "--yes", "--json");
    assert.equal(down.code, 1);
    assert.match(down.stderr, /there is no runtime missing/);
    assert.equal((await command(THROUGH, "destroy", ...ids, "--yes")).code, 0);
  });

  it("destroy a runtime and report a missing one", async () => {
    assert.match((await same("destroy", "--yes")).stderr, /is gone/);
    const { code, stderr } = await same("status");
    assert.equal(code, 1);
    assert.match(stderr, /there is no runtime by-itself/);
    for (const ended of await both("hibernate")) assert.equal(ended.code, 1);
  });
});
