import assert from "node:assert/strict";
import { getIntrospectionQuery } from "graphql";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { apiOver, errorOf, TOKENS, type Answer } from "./client";
import { fakeBackend } from "./fakeBackend";
import { nestingOf } from "../../../../service/api/limits";

const api = () => apiOver(fakeBackend());

describe("limits of a query", () => {
  it("reject a query that is too deep", async () => {
    const deep = `${"operations { nodes { deployment { ".repeat(5)} id ${"} } }".repeat(5)}`;
    const answer = await api().ask(`{ ${deep} }`);
    assert.deepEqual([errorOf(answer).code, errorOf(answer).class], ["BAD_INPUT", "caller"]);
    assert.match(answer.errors?.[0]?.message ?? "", /depth/i);
  });

  it("reject a query that is too deep because of fragments", async () => {
    const parts = ["A", "B", "C", "D", "E"];
    const fragments = parts.map((name, index) => {
      const next = parts[index + 1];
      return `fragment ${name} on Query { operations { nodes { deployment { operations { nodes { id } } } } } ${next ? `...${next}` : ""} }`;
    });
    const circle = "fragment X on Deployment { operations { nodes { deployment { ...X } } } }";
    const answer = await api().ask(`{ deployment(id: "acme-1") { ...X } } ${circle}`);
    assert.equal(errorOf(answer).code, "BAD_INPUT");
    assert.equal((await api().ask(`{ ...A } ${fragments.join(" ")}`)).errors?.length ?? 0, 1);
  });

  it("reject a query whose cost, based on page sizes, is too high", async () => {
    const query = (size: number) =>
      `{ deployments(first: ${size}) { nodes { operations(first: ${size}) { nodes { id } } } } }`;
    assert.equal((await api().ask(query(10))).errors, undefined);
    const answer = await api().ask(query(500));
    assert.equal(errorOf(answer).code, "TOO_LARGE");
    assert.match(errorOf(answer).reason, /^the query costs \d+; expected 5000 at most$/);
    assert.equal(answer.status, 413);
  });

  it("count page sizes that are variables", async () => {
    const query = "query ($n: Int) { deployments(first: $n) { nodes { operations(first: $n) { nodes { id } } } } }";
    assert.equal(errorOf(await api().ask(query, { variables: { n: 500 } })).code, "TOO_LARGE");
    assert.equal((await api().ask(query, { variables: { n: 5 } })).errors, undefined);
  });

  it("reject many plans in one request, because an engine runs for each plan", async () => {
    const many = Array.from({ length: 60 }, (_, at) => `plan(id: "acme-${at}") { notes }`).join(" ");
    assert.ok((await api().ask(`{ ${many} }`)).errors);
  });

  it("reject too many aliases and too many tokens", async () => {
    const aliases = Array.from({ length: 20 }, (_, at) => `a${at}: me { actor }`).join(" ");
    assert.match((await api().ask(`{ ${aliases} }`)).errors?.[0]?.message ?? "", /alias/i);
    const nested = `{ ${"a { ".repeat(5000)} ${"}".repeat(5000)} }`;
    assert.equal(errorOf(await api().ask(nested)).code, "BAD_INPUT");
  });

  it("reject deep nesting before a parser runs out of stack", async () => {
    for (const deep of [1500, 100_000]) {
      const { code, reason } = errorOf(await api().ask(`{ ${"a { ".repeat(deep)} ${"}".repeat(deep)} }`));
      assert.equal(code, "BAD_INPUT");
      assert.match(reason, /nested more than 100 deep/);
    }
    assert.equal(nestingOf('{ a(b: [1], c: "{{{ \\" {{{") { d } } # {{{{{'), 3);
    assert.equal(nestingOf('{ a(b: """ {{{ \\""" {{ """) }'), 2);
    assert.equal(nestingOf('{ a(b: "{{{{'), 2);
  });

  it("reject many fields and many fragments before validation", async () => {
    const fields = `{ me { ${"actor ".repeat(5000)} } }`;
    assert.match(errorOf(await api().ask(fields)).reason, /^the query has 5001 fields; expected 1000 at most$/);
    const names = Array.from({ length: 60 }, (_, at) => `F${at}`);
    const fragments = names.map((name) => `fragment ${name} on Query { me { actor } }`).join(" ");
    const { code, reason } = errorOf(
      await api().ask(`{ ${names.map((name) => `...${name}`).join(" ")} } ${fragments}`),
    );
    assert.deepEqual([code, reason], ["BAD_INPUT", "the query has 60 fragments; expected 50 at most"]);
  });

  it("show the schema to callers, and to others only if configured", async () => {
    assert.equal((await api().ask(getIntrospectionQuery())).errors, undefined);
    const stranger = await api().ask(getIntrospectionQuery(), { token: "" });
    assert.deepEqual([stranger.status, errorOf(stranger).code], [401, "UNAUTHENTICATED"]);
    const open = apiOver(fakeBackend(), { publicSchema: true });
    assert.equal((await open.ask(getIntrospectionQuery(), { token: "" })).errors, undefined);
    assert.equal((await open.ask("{ me { actor } }", { token: "" })).status, 401);
    assert.equal((await open.ask(getIntrospectionQuery(), { token: "guess" })).status, 401);
  });

  it("do not parse a request without a valid token", async () => {
    for (const query of ["{ __typename }", "{ not graphql", "{ unknown }"]) {
      for (const token of ["", "guess"]) {
        const answer = await api().ask(query, { token });
        assert.deepEqual([answer.status, errorOf(answer).code], [401, "UNAUTHENTICATED"], query);
      }
    }
  });

  it("reject batched requests", async () => {
    const { api: server } = api();
    const body = JSON.stringify([{ query: "{ me { actor } }" }, { query: "{ me { actor } }" }]);
    const headers = { "content-type": "application/json", authorization: `Bearer ${TOKENS.viewer}` };
    const response = await server.fetch("http://localhost/graphql", { method: "POST", headers, body });
    const { errors } = (await response.json()) as Answer;
    assert.match(errors?.[0]?.message ?? "", /batch/i);
    assert.equal(errors?.[0]?.extensions.code, "BAD_INPUT");
  });
});

describe("the limit of requests", () => {
  it("applies to each caller separately", async () => {
    const { ask } = apiOver(fakeBackend(), { rate: new RateLimiterMemory({ points: 2, duration: 60 }) });
    const me = (token: string) => ask("{ me { actor } }", { token });
    assert.equal((await me("viewer-of-acme")).errors, undefined);
    assert.equal((await me("viewer-of-acme")).errors, undefined);
    const refused = await me("viewer-of-acme");
    assert.deepEqual([refused.status, errorOf(refused).code, errorOf(refused).retryable], [429, "RATE_LIMITED", true]);
    assert.equal((await me("operator-of-acme")).errors, undefined);
  });

  it("applies to guessed tokens", async () => {
    const { ask } = apiOver(fakeBackend(), { rate: new RateLimiterMemory({ points: 3, duration: 60 }) });
    const statuses = [];
    for (let at = 0; at < 5; at += 1) statuses.push((await ask("{ me { actor } }", { token: `guess-${at}` })).status);
    assert.deepEqual(statuses, [401, 401, 401, 429, 429]);
  });

  it("applies to requests without a token", async () => {
    const { ask } = apiOver(fakeBackend(), { rate: new RateLimiterMemory({ points: 3, duration: 60 }) });
    const statuses = [];
    for (let at = 0; at < 5; at += 1) statuses.push((await ask("{ __typename }", { token: "" })).status);
    assert.deepEqual(statuses, [401, 401, 401, 429, 429]);
  });
});
