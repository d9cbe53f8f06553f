import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { buildSchema, parse, validate, type DocumentNode } from "graphql";
import { accessOf, ask, follow } from "../../../../cli/service/client";
import { mutationRequest } from "../../../../cli/service/change";
import { program } from "../../../../cli/program";
import type { Context } from "../../../../cli/context";
import { colours } from "../../../../cli/terminal/colours";
import type { RuntimeSettings } from "../../../../service/api/context";
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

/** Runs a command line against the API of a backend in this process; answers what it printed. */
async function run(args: readonly string[], backend = fakeBackend(), token: string = TOKENS.admin): Promise<string> {
  const { api } = apiOver(backend, { runtimes: { shoots: GARDEN } });
  const printed: string[] = [];
  const line = (text: string): void => void printed.push(text);
  const context = {
    print: line,
    live: { line, begin: () => undefined, end: () => undefined },
    colours: colours(false),
  } as unknown as Context;
  const before = { ...process.env };
  const fetchBefore = globalThis.fetch;
  Object.assign(process.env, { STACKYARD_SERVICE: URL_OF_API, STACKYARD_TOKEN: token });
  globalThis.fetch = ((url: string, init: RequestInit) => api.fetch(url, init)) as typeof fetch;
  try {
    await program(context).parseAsync([...args], { from: "user" });
  } finally {
    globalThis.fetch = fetchBefore;
    process.env = before;
  }
  return printed.join("\n");
}

describe("stackyard deployments", () => {
  it("lists what the tenant has", async () => {
    const text = await run(["deployments", "list"], fakeBackend(), TOKENS.operator);
    assert.match(text, /^ID +STATUS +HEALTH +VERSION +SLOTS +PROVISIONER +HOST +REVISION +UPDATED\n/);
    assert.match(text, /acme-1 +failed +healthy +1\.0 +1 +shared +http:\/\/acme-1\.example\.com +1/);
    assert.doesNotMatch(text, /other-1/);
  });

  it("prints JSON and YAML with the API's fields", async () => {
    const [first] = JSON.parse(await run(["deployments", "list", "-o", "json"])) as { id: string; runtime: object }[];
    assert.equal(first?.id, "acme-1");
    assert.match(
      await run(["deployments", "show", "acme-1", "-o", "yaml"]),
      /^id: acme-1\nstack: acme-1\ntenant: acme\n/,
    );
  });

  it("shows one with its last operation", async () => {
    const text = await run(["deployments", "show", "acme-1"]);
    assert.match(text, /^acme-1 failed, revision 1\n/);
    assert.match(text, /update of acme-1 failed \(1\.5 s\)/);
  });

  it("lists what the service noticed, and shows health and drift of one", async () => {
    const text = await run(["deployments", "notices", "--kind", "drift", "--level", "warning"]);
    assert.match(text, /^WHEN +KIND +LEVEL +SUBJECT +TEXT\n/);
    assert.match(text, /drift +warning +acme-1 +1 change would restore its desired state/);
    assert.doesNotMatch(text, /other-1/);
    await assert.rejects(run(["deployments", "notices", "--kind", "storms"]), { message: /NoticeKind/ });
    const shown = await run(["deployments", "show", "acme-1"]);
    assert.match(shown, / {2}health +healthy\n {2}drift +0 changes\n/);
  });

  it("shows when a deployment is hibernated by itself, and what a change of that would make", async () => {
    assert.match(
      await run(["deployments", "show", "acme-1"]),
      / {2}lifetime {5}is hibernated at 2026-01-03T15:04:05.000Z\n/,
    );
    const changed = await run(["deployments", "lifetime", "acme-1", "--idle-limit", "36h"]);
    assert.equal(changed, "acme-1 is hibernated at 2026-01-03T15:04:05.000Z");
    await assert.rejects(run(["deployments", "lifetime", "acme-1", "--idle-limit", "7w"]), {
      message: /found "7w"; expected a period from "1m" to "3650d"/,
    });
  });

  it("prints a kubeconfig that the service issues, with its role and its life", async () => {
    const text = await run(
      ["deployments", "kubeconfig", "acme-1", "--role", "admin", "--expires", "10m"],
      fakeBackend(),
      TOKENS.operator,
    );
    assert.equal(text, "admin for 600 s\nvalid until 2026-01-01T01:00:00.000Z, with the role admin");
    assert.match(
      await run(["deployments", "kubeconfig", "acme-1"], fakeBackend(), TOKENS.operator),
      /^viewer for 3600 s\n/,
    );
    const missing = run(["deployments", "kubeconfig", "nobody-1"], fakeBackend(), TOKENS.operator);
    await assert.rejects(missing, { message: "there is no deployment nobody-1" });
  });

  it("asks for each change, with revision and key", async () => {
    const lines: readonly (readonly [string[], string])[] = [
      [
        ["provision", "new-1", "--version", "1.0", "--slots", "2", "--annotation", "a=b", "--key", "k1"],
        "provision new-1 k1",
      ],
      [["update", "acme-1", "--slots", "3", "--revision", "1"], "update acme-1"],
      [["hibernate", "acme-1"], "hibernate acme-1"],
      [["wake", "acme-1"], "wake acme-1"],
      [["move", "acme-1", "--provisioner", "cluster"], "move acme-1"],
      [["deprovision", "acme-1"], "deprovision acme-1"],
      [["protect", "acme-1"], "protect acme-1 true"],
      [["unprotect", "acme-1"], "protect acme-1 false"],
      [
        ["lifetime", "acme-1", "--idle-limit", "7d", "--time-to-live", "none"],
        'setLifetime acme-1 {"timeToLive":null,"idleLimit":604800}',
      ],
      [["provision", "new-2", "--version", "1.0", "--idle-limit", "36h"], 'provision new-2 {"idleLimit":129600}'],
    ];
    for (const [args, expected] of lines) {
      const backend = fakeBackend();
      await run(["deployments", ...args], backend);
      assert.deepEqual(
        backend.asked.map(({ what }) => what),
        [expected],
      );
    }
  });

  it("takes the fields of a file, and refuses one that names another platform", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "stackyard-deployments-"));
    const file = path.join(folder, "deployments.yaml");
    try {
      fs.writeFileSync(file, "acme-1: {slots: 3, platform: dev}\nnew-1: {version: '1.0', kyma: {version: 2.20.0}}\n");
      const backend = fakeBackend();
      await run(["deployments", "update", "acme-1", "-f", file], backend);
      await run(["deployments", "provision", "new-1", "-f", file], backend);
      assert.deepEqual(
        backend.asked.map(({ what }) => what),
        ["update acme-1", "provision new-1"],
      );
      fs.writeFileSync(file, "acme-1: {slots: 3, platform: prod}\n");
      await assert.rejects(run(["deployments", "update", "acme-1", "-f", file]), {
        message: `${file}: acme-1.platform: found organization/stackyard/prod; expected organization/stackyard/dev, which an update keeps`,
      });
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it("shows the plan of a dry run and of a deployment", async () => {
    const backend = fakeBackend();
    const plan = "update ManifestSet a\n    spec.replicas: 1 → 2\na note";
    assert.equal(await run(["deployments", "update", "acme-1", "--slots", "2", "--dry-run"], backend), plan);
    assert.equal(await run(["deployments", "plan", "acme-1"], backend), plan);
    assert.deepEqual(backend.asked, []);
  });

  it("follows an operation, and fails when it fails", async () => {
    const following = run(["deployments", "hibernate", "acme-1", "--watch"]);
    await assert.rejects(following, { name: "Failure", message: /update of acme-1 failed \(1\.5 s\).*\n {2}no/ });
  });

  it("says why the service refuses", async () => {
    const refused = run(["deployments", "unprotect", "acme-1"], fakeBackend(), TOKENS.operator);
    await assert.rejects(refused, {
      message: "the role operator may not ask for unprotectDeployment\n  ask an administrator for another role",
    });
    await assert.rejects(run(["deployments", "show", "other-1"]), { message: "there is no deployment other-1" });
  });
});

describe("stackyard operations", () => {
  it("lists and shows them with their stages", async () => {
    assert.match(
      await run(["operations", "list", "--state", "failed"]),
      /018f0000-\S+ +acme-1 +update +failed +update +1\.5 s/,
    );
    assert.match(
      await run(["operations", "show", OPERATIONS.acme]),
      / {2}STAGE +STATUS +DURATION\n {2}update +failed +0\.0 s/,
    );
  });

  it("retries and cancels them", async () => {
    const backend = fakeBackend();
    await run(["operations", "retry", OPERATIONS.acme], backend);
    await run(["operations", "cancel", OPERATIONS.acme], backend);
    assert.deepEqual(
      backend.asked.map(({ what }) => what),
      [`retry ${OPERATIONS.acme}`, `cancel ${OPERATIONS.acme}`],
    );
  });
});

describe("requests to the service", () => {
  it("fit its schema", () => {
    const deployment = { id: "ID!", deployment: "DeploymentInput!" };
    const mutations: { field: string; types: Record<string, string> }[] = [
      { field: "provisionDeployment", types: { ...deployment, platform: "String" } },
      { field: "updateDeployment", types: deployment },
      { field: "moveDeployment", types: { id: "ID!", provisioner: "String" } },
      ...["hibernateDeployment", "protectDeployment", "retryOperation"].map((field) => ({
        field,
        types: { id: "ID!" },
      })),
    ];
    for (const { field, types } of mutations) {
      const request = mutationRequest({ field, types, values: {} }, {});
      const document: DocumentNode = parse(request.query);
      assert.deepEqual(
        validate(schema, document).map(({ message }) => message),
        [],
        field,
      );
    }
  });

  it("need an address and a token", () => {
    assert.throws(() => accessOf({}, {}), /--service: found nothing; expected the URL of the API/);
    assert.throws(() => accessOf({ service: "localhost" }, {}), /--service: found "localhost"/);
    assert.throws(() => accessOf({ service: URL_OF_API }, {}), /STACKYARD_TOKEN: found nothing/);
    assert.deepEqual(accessOf({ tenant: "red" }, { STACKYARD_SERVICE: URL_OF_API, STACKYARD_TOKEN: "t" }), {
      url: URL_OF_API,
      token: "t",
      tenant: "red",
    });
  });

  const access = (answer: () => Response | Promise<Response>) => ({
    url: URL_OF_API,
    token: "hidden-token",
    fetch: (() => Promise.resolve().then(answer)) as typeof fetch,
  });

  it("say that nobody answers, and that somebody else does", async () => {
    const away = access(() => {
      throw Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } });
    });
    await assert.rejects(ask(away, "{ me { actor } }"), {
      message: `the service at ${URL_OF_API} does not answer: ECONNREFUSED`,
    });
    const page = access(() => new Response("<html>", { status: 404 }));
    await assert.rejects(ask(page, "{ me { actor } }"), /answered 404 and no GraphQL; is it the path of the API\?/);
  });

  it("go on after a lost connection with the event that they had", async () => {
    const asked: unknown[] = [];
    const stream = (...parts: string[]): Response =>
      new Response(parts.join(""), { headers: { "content-type": "text/event-stream" } });
    const event = (id: string): string =>
      `event: next\ndata: {"data":{"operationEvents":{"id":"${id}","text":"step ${id}"}}}\n\n`;
    const answers = [() => stream(event("1")), () => stream(":\n\n", event("2"), "event: complete\ndata: \n\n")];
    const broken = {
      url: URL_OF_API,
      token: "t",
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
