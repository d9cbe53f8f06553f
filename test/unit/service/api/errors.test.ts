import assert from "node:assert/strict";
import { buildSchema } from "graphql";
import { Failure } from "../../../../foundation/errors";
import { OperationError, type ErrorCode } from "../../../../service/operations/error";
import { apiOver, errorOf, SDL, TOKENS, type Answer } from "./client";
import { fakeBackend } from "./fakeBackend";

const UPDATE = 'mutation { updateDeployment(id: "acme-1", deployment: { slots: 2 }) { operation { id } } }';

/** What a change answers that fails with this. */
async function answerTo(error: Error): Promise<{ answer: Answer; logged: object[] }> {
  const backend = fakeBackend();
  const { ask, logged } = apiOver({
    ...backend,
    changes: { ...backend.changes, request: () => Promise.reject(error) },
  });
  return { answer: await ask(UPDATE), logged };
}

describe("errors of the API", () => {
  it("name an invalid cursor instead of returning the first page", async () => {
    const { ask } = apiOver(fakeBackend());
    for (const field of ["operations", "audit", "notices"]) {
      const answer = await ask(`{ ${field}(after: "garbage") { pageInfo { endCursor } } }`, { token: TOKENS.admin });
      const { code, path, reason } = errorOf(answer);
      assert.deepEqual([code, path], ["BAD_INPUT", "after"], field);
      assert.match(reason, /^found "garbage"; expected a cursor that this list gave$/);
    }
  });

  it("have one form: code, status, class, reason, component, path, advice", async () => {
    const parts = { reason: "found 0; expected a whole number from 1", path: "deployment.slots", advice: "give 1" };
    const { answer } = await answerTo(new OperationError("BAD_INPUT", parts));
    assert.equal(answer.status, 200);
    assert.equal(answer.errors?.[0]?.message, parts.reason);
    assert.deepEqual(errorOf(answer), {
      code: "BAD_INPUT",
      status: 400,
      class: "caller",
      component: "operations",
      retryable: false,
      ...parts,
    });
  });

  const codes: readonly (readonly [ErrorCode, number])[] = [
    ["BAD_INPUT", 400],
    ["FORBIDDEN", 403],
    ["QUOTA_EXCEEDED", 403],
    ["NOT_FOUND", 404],
    ["CONFLICT", 409],
    ["PROTECTED", 409],
    ["INTERNAL", 500],
    ["PROVISIONING_FAILED", 500],
    ["UNAVAILABLE", 503],
    ["TIMEOUT", 504],
  ];
  for (const [code, status] of codes) {
    it(`with the code ${code} have the status ${status}`, async () => {
      const { answer } = await answerTo(new OperationError(code, { reason: "why" }));
      assert.deepEqual(
        [errorOf(answer).code, errorOf(answer).status, errorOf(answer).class],
        [code, status, status < 500 ? "caller" : "service"],
      );
    });
  }

  it("hide the details of unexpected exceptions, which are logged", async () => {
    const { answer, logged } = await answerTo(new Error("password=hidden at /srv/service/file.ts:1"));
    assert.equal(errorOf(answer).code, "INTERNAL");
    assert.doesNotMatch(JSON.stringify(answer), /hidden|file\.ts|stack/);
    const [entry] = logged as { request: string; error: Error }[];
    assert.match(entry?.error.message ?? "", /hidden/);
    assert.match(errorOf(answer).advice ?? "", new RegExp(entry?.request ?? "nothing"));
  });

  it("report an unavailable database", async () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED 10.0.0.1:5432"), { code: "ECONNREFUSED" });
    for (const error of [refused, new AggregateError([refused]), new Error("x", { cause: refused })]) {
      const { answer } = await answerTo(error);
      assert.equal(errorOf(answer).code, "UNAVAILABLE");
      assert.equal(errorOf(answer).retryable, true);
      assert.doesNotMatch(JSON.stringify(answer), /10\.0\.0\.1/);
    }
  });

  it("contain the first line of an engine failure", async () => {
    const { answer } = await answerTo(new Failure("the platform stack dev has no provisioner set\n  at /srv/x"));
    assert.deepEqual([errorOf(answer).code, errorOf(answer).component], ["UNAVAILABLE", "engine"]);
    assert.equal(errorOf(answer).reason, "the platform stack dev has no provisioner set");
  });

  it("report a value that the database rejects", async () => {
    const { answer } = await answerTo(Object.assign(new Error("invalid byte sequence"), { code: "22021" }));
    assert.deepEqual([errorOf(answer).code, errorOf(answer).status], ["BAD_INPUT", 400]);
  });

  it("for an invalid query are caller errors", async () => {
    const { ask } = apiOver(fakeBackend());
    const wrong = ["{", "{ nothing }", "{ deployment { id } }", '{ deployments(first: "x") { totalCount } }'];
    for (const query of wrong) {
      const answer = await ask(query);
      assert.deepEqual([errorOf(answer).code, errorOf(answer).class], ["BAD_INPUT", "caller"], query);
    }
  });

  it("name the invalid argument", async () => {
    const { ask } = apiOver(fakeBackend());
    const cases: readonly (readonly [string, string])[] = [
      ["{ deployments(first: -1) { totalCount } }", "first"],
      ["{ deployments(first: 501) { totalCount } }", "first"],
      ['mutation { provisionDeployment(id: "a", deployment: {}, platform: "a/b/c/d") { plan { notes } } }', "platform"],
      ['{ provisioners(platform: "nothing") { name } }', "platform"],
    ];
    for (const [query, path] of cases) {
      const answer = await ask(query);
      assert.deepEqual([errorOf(answer).class, errorOf(answer).path], ["caller", path], query);
    }
  });
});

describe("a change without the required role", () => {
  it("is recorded in the audit trail, unlike a query", async () => {
    const backend = fakeBackend();
    const { ask } = apiOver(backend);
    await ask('mutation { hibernateDeployment(id: "acme-1") { operation { id } } }', { token: TOKENS.viewer });
    await ask("{ audit { totalCount } }", { token: TOKENS.viewer });
    assert.deepEqual(backend.refusals, ["static-token-1 hibernateDeployment acme-1"]);
  });
});

describe("responses of the API", () => {
  it("contain no secret of a runtime or an operation", async () => {
    const { ask } = apiOver(fakeBackend());
    const query =
      "{ runtimes { nodes { host dataDir state } } operations { nodes { result change stages { name } } } }";
    const answer = await ask(query, { token: TOKENS.viewer });
    assert.equal(answer.data?.["runtimes"].nodes[0].host, "http://acme-1.example.com");
    assert.equal(answer.data?.["operations"].nodes[0].result.outputs.host, "h");
    assert.doesNotMatch(JSON.stringify(answer), /hidden-password/);
  });

  it("contain the plan of a dry run, which changes nothing", async () => {
    const backend = fakeBackend();
    const { ask } = apiOver(backend);
    for (const field of Object.values(buildSchema(SDL).getMutationType()?.getFields() ?? {})) {
      if (field.type.toString() !== "DeploymentPayload!") continue;
      if (field.name.endsWith("Operation") || field.name.startsWith("protect") || field.name.startsWith("un")) continue;
      const required = { deployment: "{ slots: 2 }", lifetime: '{ idleLimit: "7d" }' };
      const given = Object.entries(required).filter(([arg]) => field.args.some(({ name }) => name === arg));
      const more = given.map(([arg, value]) => `, ${arg}: ${value}`).join("");
      const plan = "plan { notes changes { action properties { path before after } } } operation { id }";
      const answer = await ask(`mutation { ${field.name}(id: "acme-1", dryRun: true${more}) { ${plan} } }`);
      const { operation, plan: shown } = answer.data?.[field.name] ?? {};
      assert.equal(operation, null, field.name);
      assert.deepEqual(shown.changes[0].properties, [{ path: "spec.replicas", before: 1, after: 2 }], field.name);
    }
    assert.deepEqual(backend.asked, []);
  });

  it("name the place of an invalid period and the expected format", async () => {
    const { ask } = apiOver(fakeBackend());
    const asked = (period: string) =>
      ask(`mutation { setDeploymentLifetime(id: "acme-1", lifetime: { idleLimit: ${period} }) { deployment { id } } }`);
    for (const wrong of ['"soon"', '"7w"', "7", '"59s"', "{}"]) {
      const answer = await asked(wrong);
      const { code, reason } = errorOf(answer);
      assert.equal(code, "BAD_INPUT", wrong);
      // A request may have three of them.
      assert.deepEqual(answer.errors?.[0]?.locations, [{ line: 1, column: 71 }]);
      assert.match(reason, /expected a period from "1m" to "3650d", such as "90m", "36h", "7d" or "1d12h"/);
    }
    for (const right of ['"7d"', "null"]) assert.equal((await asked(right)).errors, undefined);
  });

  it("contain the duration of an operation", async () => {
    const { ask } = apiOver(fakeBackend());
    const answer = await ask("{ operations { nodes { durationSeconds requestedAt } } }");
    assert.deepEqual(answer.data?.["operations"].nodes, [
      { durationSeconds: 1.5, requestedAt: "2026-01-02T03:04:05.000Z" },
    ]);
  });
});
