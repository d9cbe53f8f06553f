import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { buildSchema, parse, validate, type DocumentNode } from "graphql";
import { accessOf } from "../../../../cli/service/access";
import { changeLogins, loginsFile } from "../../../../cli/service/stored/store";
import { ask, follow } from "../../../../cli/service/client";
import { mutationRequest } from "../../../../cli/service/mutation";
import { mutationOf } from "../../../../cli/runtime/target/request";
import { program } from "../../../../cli/program";
import type { Context } from "../../../../cli/context";
import type { Status } from "../../../../cli/runtime/target/target";
import { colours } from "../../../../cli/terminal/colours";
import type { RuntimeSettings } from "../../../../service/api/context";
import { OperationError } from "../../../../service/operations/error";
import { apiOver, SDL, TOKENS } from "../../service/api/client";
import { fakeBackend, OPERATIONS } from "../../service/api/fakeBackend";

const schema = buildSchema(SDL);
const URL_OF_API = "http://localhost/graphql";

/** A Gardener whose kubeconfigs say what they are. */
const GARDEN: NonNullable<RuntimeSettings["shoots"]> = {
  soon: () => Promise.resolve(undefined),
  kubeconfig: () => Promise.resolve(undefined),
  issue: (_row, { role, expirationSeconds }) =>
    Promise.resolve({
      kubeconfig: `${role} for ${expirationSeconds} s\n`,
      expires: Date.parse("2026-01-01T01:00:00Z"),
    }),
};

/** Runs a command line against the API of a backend in this process; answers what it printed, and its exit code. */
async function end(args: readonly string[], backend = fakeBackend(), token: string = TOKENS.admin) {
  const { api } = apiOver(backend, { runtimes: { shoots: GARDEN } });
  const printed: string[] = [];
  const said: string[] = [];
  const context = {
    print: (text: string) => void printed.push(text),
    live: {
      line: (text: string) => void said.push(text),
      ...{ begin: () => undefined, end: () => undefined, status: () => undefined },
    },
    colours: colours(false),
  } as unknown as Context;
  const before = { ...process.env };
  const fetchBefore = globalThis.fetch;
  Object.assign(process.env, { STACKYARD_SERVICE: URL_OF_API, STACKYARD_TOKEN: token });
  globalThis.fetch = ((url: string, init: RequestInit) => api.fetch(url, init)) as typeof fetch;
  process.exitCode = undefined;
  try {
    await program(context).parseAsync([...args], { from: "user" });
    return { text: printed.join("\n"), said, code: process.exitCode ?? 0 };
  } finally {
    process.exitCode = undefined;
    globalThis.fetch = fetchBefore;
    process.env = before;
  }
}

const run = async (...args: Parameters<typeof end>): Promise<string> => (await end(...args)).text;

describe("stackyard runtime through a service", () => {
  it("lists the runtimes of the tenant, and prints the URL of the service", async () => {
    const { text, said } = await end(["runtime", "list", "-o", "wide"], fakeBackend(), TOKENS.operator);
    assert.match(text, /^ID +STATE +VERSION +SLOTS +ENV +PROVISIONER +PLATFORM +CHANGED +BY +HOST +REASON\n/);
    assert.match(
      text,
      /acme-1 +failed +1\.0 +1 +prod +shared +dev +\S+ \S+ +service update +http:\/\/acme-1\.example\.com +no/,
    );
    assert.doesNotMatch(text, /other-1/);
    assert.equal(said[0], `through ${URL_OF_API}; --local goes around it`);
    assert.equal(await run(["runtime", "list", "--failed", "-o", "id"]), "acme-1");
    assert.equal(await run(["runtime", "list", "--provisioner", "x"]), "none of 1 runtimes matches");
  });

  it("does not print the URL of a service that the command line names", async () => {
    assert.deepEqual((await end(["runtime", "list", "-o", "id", "--service", URL_OF_API])).said, []);
  });

  it("prints JSON and YAML with the fields of the local command and those of the service", async () => {
    const [first] = JSON.parse(await run(["runtime", "list", "-o", "json"])) as { id: string; service: object }[];
    assert.equal(first?.id, "acme-1");
    assert.deepEqual(Object.keys(first.service).slice(0, 4), ["tenant", "stack", "revision", "protected"]);
    assert.match(await run(["runtime", "status", "acme-1", "-o", "yaml"]), /^id: acme-1\nstate: failed\nreason: no\n/);
  });

  it("shows the health, drift, lifetime and last operation of a runtime", async () => {
    const text = await run(["runtime", "status", "acme-1"]);
    assert.match(text, /^acme-1 has failed\n {2}no\n {2}version {6}1\.0\n/);
    assert.match(text, / {2}revision {5}1\n {2}health {7}healthy\n {2}drift {8}0 changes\n/);
    assert.match(text, / {2}lifetime {5}is hibernated at 2026-01-03T15:04:05.000Z\n/);
    assert.match(text, /update of acme-1 failed \(1\.5 s\)/);
    const missing = run(["runtime", "status", "other-1"]);
    await assert.rejects(missing, { message: /^there is no runtime other-1; / });
  });

  it("shows what a runtime consists of, with the state of its objects", async () => {
    const text = await run(["runtime", "status", "acme-1"]);
    assert.match(
      text,
      /consists of\n {2}… StatefulSet runtimes\/a {2}0 of 1 pods ready\n {6}Pod a-0: no node has room$/,
    );
    const { consistsOf, conditions } = JSON.parse(await run(["runtime", "status", "acme-1", "-o", "json"])) as Status;
    assert.deepEqual(consistsOf, ["StatefulSet runtimes/a"]);
    assert.deepEqual(
      conditions.map((condition) => Object.keys(condition)),
      [["objects"]],
    );
  });

  it("lists and updates the runtimes whose provisioner has changed", async () => {
    const backend = fakeBackend();
    const revisions = () => Promise.resolve({ provisionerRevisions: { shared: "r2" } });
    const changed = { ...backend, reads: { ...backend.reads, revisions } };
    assert.equal(await run(["runtime", "list", "--outdated", "-o", "id"]), "");
    assert.equal(await run(["runtime", "list", "--outdated", "-o", "id"], changed), "acme-1");
    assert.match((await end(["runtime", "check", "acme-1"], changed)).text, /outdated: its provisioner has changed/);
    await end(["runtime", "up", "--outdated", "--yes"], changed, TOKENS.operator);
    assert.deepEqual(
      backend.asked.map(({ what }) => what),
      ["update acme-1"],
    );
  });

  it("repeats the request that created a runtime with the same key, whose answer was lost", async () => {
    const backend = fakeBackend();
    const reason = "the idempotency key was used for another request";
    const request: typeof backend.changes.request = (asked, caller) =>
      asked.kind === "update" || asked.idempotencyKey === "k-2"
        ? Promise.reject(new OperationError("CONFLICT", { reason, path: "idempotencyKey" }))
        : backend.changes.request(asked, caller);
    const again = { ...backend, changes: { ...backend.changes, request } };
    const up = (key: string) =>
      end(["runtime", "up", "acme-1", "--version", "1", "--key", key, "--no-wait"], again, TOKENS.operator);
    await up("k-1");
    assert.deepEqual(
      backend.asked.map(({ what }) => what),
      ["provision acme-1 k-1"],
    );
    await assert.rejects(up("k-2"), { message: reason });
  });

  it("reports what the service found", async () => {
    const { text, code } = await end(["runtime", "check", "--all"]);
    assert.deepEqual([text, code], ["✗ acme-1\n    state: failed: no", 1]);
  });

  it("lists notices of the service", async () => {
    const text = await run(["runtime", "notices", "--kind", "drift", "--level", "warning"]);
    assert.match(text, /^WHEN +KIND +LEVEL +SUBJECT +TEXT\n/);
    assert.match(text, /drift +warning +acme-1 +1 change would restore its desired state/);
    assert.doesNotMatch(text, /other-1/);
    await assert.rejects(run(["runtime", "notices", "--kind", "storms"]), { message: /NoticeKind/ });
  });

  it("changes when a runtime is hibernated automatically", async () => {
    const changed = await run(["runtime", "lifetime", "acme-1", "--idle-limit", "36h"]);
    assert.equal(changed, "acme-1 is hibernated at 2026-01-03T15:04:05.000Z");
    await assert.rejects(run(["runtime", "lifetime", "acme-1", "--idle-limit", "7w"]), {
      message: /found "7w"; expected a period from "1m" to "3650d"/,
    });
    await assert.rejects(run(["runtime", "lifetime", "acme-1"]), { name: "UsageError" });
  });

  it("prints a kubeconfig that the service issues, with its role and expiry", async () => {
    const asked = ["runtime", "kubeconfig", "acme-1", "--role", "admin", "--expires", "10m"];
    const { text, said } = await end(asked, fakeBackend(), TOKENS.operator);
    assert.deepEqual(
      [text, said.at(-1)],
      ["admin for 600 s", "valid until 2026-01-01T01:00:00.000Z, with the role admin"],
    );
    const missing = run(["runtime", "kubeconfig", "nobody-1"], fakeBackend(), TOKENS.operator);
    await assert.rejects(missing, { message: /^there is no runtime nobody-1; / });
  });

  it("lists kept disks, and deletes the named ones", async () => {
    const backend = fakeBackend();
    assert.match(
      await run(["runtime", "disks"], backend),
      /runtimes\/data-runtime-acme-1-0 +acme-1 +40 +\d+ d ago +shared/,
    );
    const name = "runtimes/data-runtime-acme-1-0";
    const { said } = await end(["runtime", "disks", "--remove", name, "--yes"], backend);
    assert.equal(said.at(-1), `${name} of acme-1 is deleted`);
    assert.equal(backend.asked.at(-1)?.what, `deleteKeptDisks ${name}`);
    await assert.rejects(run(["runtime", "disks", "--remove", "a/b", "--yes"]), {
      message: /there is none of this name/,
    });
  });

  it("sends each change with its revision and key", async () => {
    const lines: readonly (readonly [string[], string])[] = [
      [["up", "new-1", "--version", "1.0", "--slots", "2", "--annotation", "a=b", "--key", "k1"], "provision new-1 k1"],
      [["up", "acme-1", "--slots", "3", "--revision", "1"], "update acme-1"],
      [["hibernate", "acme-1"], "hibernate acme-1"],
      [["wake", "acme-1"], "wake acme-1"],
      [["up", "acme-1", "--move", "--provisioner", "cluster"], "move acme-1"],
      [["up", "acme-1", "--move"], "move acme-1"],
      [["destroy", "acme-1", "--yes"], "deprovision acme-1"],
      [["protect", "acme-1"], "protect acme-1 true"],
      [["unprotect", "acme-1"], "protect acme-1 false"],
      [["up", "new-2", "--version", "1.0", "--idle-limit", "36h"], 'provision new-2 {"idleLimit":129600}'],
    ];
    for (const [args, expected] of lines) {
      const backend = fakeBackend();
      const { code } = await end(["runtime", ...args, "--no-wait"], backend);
      assert.deepEqual(
        [backend.asked.map(({ what }) => what), code],
        [[expected], args[0]?.endsWith("protect") ? 1 : 0],
      );
    }
  });

  it("prints the operation at once with --no-wait", async () => {
    const { said, code } = await end(["runtime", "hibernate", "acme-1", "--no-wait"]);
    assert.match(said.at(-1) ?? "", /^hibernate of acme-1 pending/);
    assert.equal(code, 0);
    const json = JSON.parse(await run(["runtime", "hibernate", "acme-1", "--no-wait", "--json"])) as object;
    assert.deepEqual(Object.keys(json), [
      ...["id", "ok", "milliseconds", "changes", "outputs", "errors", "notes", "operation"],
    ]);
  });

  it("takes the fields of a file, and rejects a file for another platform", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "stackyard-deployments-"));
    const file = path.join(folder, "deployments.yaml");
    try {
      fs.writeFileSync(file, "acme-1: {slots: 3, platform: dev}\nnew-1: {version: '1.0', kyma: {version: 2.20.0}}\n");
      const backend = fakeBackend();
      const many = ["runtime", "up", "-f", file, "--yes", "--no-wait"];
      assert.equal((await end(many, backend)).code, 0);
      assert.deepEqual(
        backend.asked.map(({ what }) => what),
        ["update acme-1", "provision new-1"],
      );
      fs.writeFileSync(file, "acme-1: {slots: 3, platform: prod}\n");
      const { said, code } = await end(many);
      assert.match(
        said.join("\n"),
        /acme-1\.platform: found organization\/stackyard\/prod; expected organization\/stackyard\/dev, where the runtime stays/,
      );
      assert.equal(code, 1);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it("shows the plan of a change", async () => {
    const backend = fakeBackend();
    const plan = "acme-1: 1 resource to change\n  ~ change ManifestSet a: spec.replicas\n  a note";
    assert.equal(await run(["runtime", "preview", "acme-1", "--slots", "2"], backend), plan);
    assert.equal(await run(["runtime", "preview", "acme-1"], backend), plan);
    const json = JSON.parse(await run(["runtime", "preview", "acme-1", "--json"], backend)) as {
      readonly plan: readonly { readonly properties: unknown }[];
      readonly changes: unknown;
    };
    assert.deepEqual(json.changes, { update: 1 });
    assert.deepEqual(json.plan[0]?.properties, [{ path: "spec.replicas", before: 1, after: 2 }]);
    assert.deepEqual(backend.asked, []);
  });

  it("follows an operation, and fails if the operation fails", async () => {
    const { said, code } = await end(["runtime", "hibernate", "acme-1"]);
    assert.deepEqual([said.at(-1), code], ["acme-1 could not be deployed:\n  no", 1]);
  });

  it("reports why the service rejects a request", async () => {
    const refused = run(["runtime", "unprotect", "acme-1"], fakeBackend(), TOKENS.operator);
    await assert.rejects(refused, {
      message: "the role operator may not ask for unprotectDeployment\n  ask an administrator for another role",
    });
  });

  it("rejects options that work only locally, and suggests an alternative", async () => {
    const lines: readonly (readonly [string[], RegExp])[] = [
      [["up", "acme-1", "--refresh"], /^--refresh: .*APP_DRIFT_INTERVAL.*; or pass --local$/],
      [["up", "acme-1", "--from-file"], /^--from-file: .*; pass the fields with -f; or pass --local$/],
      [["hibernate", "acme-1", "--wait", "3"], /^--wait: the service queues a request/],
      [["list", "--orphans"], /^--orphans: .*query orphans; pass --local/],
      [["check", "--all", "--timeout", "3"], /^--timeout: /],
      [["adopt", "acme-1"], /^adopt works on .*; pass --local/],
      [["remove-orphan", "acme-1"], /^remove-orphan works on .*; pass --local/],
      [["import", "acme-1", "--shoot", "s"], /^import reads the Shoot .*; pass --local/],
      [
        ["up", "acme-1", "--move", "--provisioner", "x", "--slots", "2"],
        /^--move: .*move acme-1 first, then change slots/,
      ],
      [["up", "acme-1", "--idle-limit", "7d"], /stackyard runtime lifetime acme-1$/],
      [["preview", "acme-1", "--idle-limit", "7d"], /stackyard runtime lifetime acme-1$/],
      [["up", "acme-1", "--disk", "a/b"], /^--disk: only a new runtime/],
      [["up", "a", "b", "--version", "1", "--key", "k"], /^--key and --revision are for one runtime/],
      [["list", "--local", "--service", URL_OF_API], /^pass --local or --service, not both$/],
    ];
    for (const [args, message] of lines) {
      const backend = fakeBackend();
      await assert.rejects(run(["runtime", ...args], backend), { name: "UsageError", message }, args.join(" "));
      assert.deepEqual(backend.asked, []);
    }
  });

  it("rejects options that need a service with --local, and explains how to select a service", async () => {
    const lines: readonly (readonly [string[], RegExp])[] = [
      [["up", "acme-1", "--no-wait"], /^--no-wait: .*; select a service with stackyard login or --service$/],
      [["up", "acme-1", "--revision", "1"], /^--revision: /],
      [["hibernate", "acme-1", "--key", "k"], /^--key: /],
      [["up", "acme-1", "--idle-limit", "7d"], /^--idle-limit: /],
      [["preview", "acme-1", "--time-to-live", "7d"], /^--time-to-live: only a service .*; select a service/],
      [["preview", "acme-1", "--revision", "1"], /^--revision: /],
    ];
    for (const [args, message] of lines) {
      await assert.rejects(run(["runtime", ...args, "--local"]), { name: "UsageError", message });
    }
  });
});

describe("stackyard operations", () => {
  it("lists and shows operations with their stages", async () => {
    assert.match(
      await run(["operations", "list", "--state", "failed"]),
      /018f0000-\S+ +acme-1 +update +failed +update +1\.5 s/,
    );
    assert.match(
      await run(["operations", "show", OPERATIONS.acme]),
      / {2}STAGE +STATUS +DURATION\n {2}update +failed +0\.0 s/,
    );
  });

  it("retries and cancels operations", async () => {
    const backend = fakeBackend();
    await run(["operations", "retry", OPERATIONS.acme], backend);
    await run(["operations", "cancel", OPERATIONS.acme], backend);
    assert.deepEqual(
      backend.asked.map(({ what }) => what),
      [`retry ${OPERATIONS.acme}`, `cancel ${OPERATIONS.acme}`],
    );
  });
});

describe("the requests to the service", () => {
  it("match the schema of the service", () => {
    const deployment = { version: "1", slots: 2 };
    const present = { platform: "organization/stackyard/dev" };
    const id = "acme";
    const changes = [
      { request: { id, change: { deployment } } },
      { request: { id, change: { deployment } }, present },
      { request: { id, change: { deployment: {}, move: "pool" } }, present },
      { request: { id, change: { deployment: {} } }, destroy: true },
      ...[
        { state: "hibernated" as const },
        { state: "running" as const },
        { protected: true },
        { protected: false },
      ].map((change) => ({ request: { id, change: { deployment: change } }, existing: "must-exist" as const })),
    ];
    const mutations = changes.map(
      ({ present: there, ...job }: (typeof changes)[number] & { present?: typeof present }) =>
        mutationOf({ ...job, defaultPlatform: "" }, there),
    );
    assert.deepEqual(
      mutations.map(({ field }) => field.replace("Deployment", "")),
      ["provision", "update", "move", "deprovision", "hibernate", "wake", "protect", "unprotect"],
    );
    for (const mutation of [...mutations, { field: "retryOperation", types: { id: "ID!" }, values: {} }]) {
      const document: DocumentNode = parse(mutationRequest(mutation, {}).query);
      assert.deepEqual(
        validate(schema, document).map(({ message }) => message),
        [],
        mutation.field,
      );
    }
  });

  it("use the service of the command line, otherwise of the environment, otherwise of the login", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "stackyard-access-"));
    const env = { XDG_CONFIG_HOME: folder };
    const named = { ...env, STACKYARD_SERVICE: URL_OF_API, STACKYARD_TOKEN: "t" };
    const shown = async (...args: Parameters<typeof accessOf>) => {
      const { url, tenant, token } = (await accessOf(...args)) ?? { token: () => undefined };
      return [url, await token(), tenant];
    };
    try {
      assert.equal(await accessOf({}, env), undefined);
      assert.deepEqual(await shown({ tenant: "red" }, named), [URL_OF_API, "t", "red"]);
      await assert.rejects(shown({ service: "localhost" }, env), /^UsageError: --service: found "localhost"/);
      await assert.rejects(shown({}, { ...env, STACKYARD_SERVICE: "x" }), /^UsageError: STACKYARD_SERVICE: found "x"/);
      await assert.rejects(shown({ service: URL_OF_API }, env), /no login at \S+; log in with: stackyard login http:/);
      const [current, other] = ["https://a.example.com/graphql", "https://b.example.com/graphql"];
      const services = { [current]: { token: "a", tenant: "blue" }, [other]: { token: "b" } };
      await changeLogins(() => ({ current, services }), loginsFile(env));
      assert.deepEqual(await shown({}, env), [current, "a", "blue"]);
      assert.deepEqual(await shown({ service: "https://b.example.com" }, env), [other, "b", undefined]);
      assert.deepEqual(await shown({}, named), [URL_OF_API, "t", undefined]);
      // The token of the environment is for another service.
      assert.deepEqual(await shown({}, { ...env, STACKYARD_TOKEN: "t" }), [current, "a", "blue"]);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  const access = (answer: () => Response | Promise<Response>) => ({
    url: URL_OF_API,
    token: () => Promise.resolve("hidden-token"),
    fetch: (() => Promise.resolve().then(answer)) as typeof fetch,
  });

  it("report an unreachable service, and a server without GraphQL", async () => {
    const away = access(() => {
      throw Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } });
    });
    await assert.rejects(ask(away, "{ me { actor } }"), {
      message: `the service at ${URL_OF_API} does not answer: ECONNREFUSED`,
    });
    const page = access(() => new Response("<html>", { status: 404 }));
    await assert.rejects(ask(page, "{ me { actor } }"), /answered 404 and no GraphQL; is it the path of the API\?/);
  });

  it("resume after a lost connection from the last event", async () => {
    const asked: unknown[] = [];
    const stream = (...parts: string[]): Response =>
      new Response(parts.join(""), { headers: { "content-type": "text/event-stream" } });
    const event = (id: string): string =>
      `event: next\ndata: {"data":{"operationEvents":{"id":"${id}","text":"step ${id}"}}}\n\n`;
    const answers = [() => stream(event("1")), () => stream(":\n\n", event("2"), "event: complete\ndata: \n\n")];
    const broken = {
      url: URL_OF_API,
      token: () => Promise.resolve("t"),
      fetch: ((_url: string, init: RequestInit) => {
        asked.push((JSON.parse(init.body as string) as { variables: unknown }).variables);
        return Promise.resolve(answers.shift()!());
      }) as typeof fetch,
    };
    const texts: string[] = [];
    for await (const { text } of follow(broken, "op")) texts.push(text);
    assert.deepEqual(texts, ["step 1", "step 2"]);
    assert.deepEqual(asked, [{ id: "op" }, { id: "op", after: "1" }]);
  });
});
