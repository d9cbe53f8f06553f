import assert from "node:assert/strict";
import { buildSchema, parse, validate } from "graphql";
import { blocksOf, pageText } from "../../../fixtures/pages";
import { extensionsOf, type ApiErrorCode } from "../../../../service/api/errors";
import { CALLER_CODES, SERVICE_CODES } from "../../../../service/operations/error";
import { apiOver, SDL, TOKENS } from "./client";
import { deploymentRow, fakeBackend, operationRow, OPERATIONS } from "./fakeBackend";

const PAGE = "docs/service-api.md";
const schema = buildSchema(SDL);

/** A backend that has the deployment of the page. */
function backend() {
  const fake = fakeBackend();
  const row = deploymentRow("acme-prod", "acme");
  return {
    ...fake,
    changes: {
      ...fake.changes,
      plan: () => Promise.resolve({ deployment: row.id, kind: "update" as const, changes: [], notes: [] }),
      request: () => Promise.resolve(operationRow(OPERATIONS.acme, row.id, "acme", { state: "pending" })),
      protect: () => Promise.resolve({ ...row, protected: true }),
      touch: () => Promise.resolve(row),
    },
    reads: { ...fake.reads, deployment: () => Promise.resolve(row) },
  };
}

describe("the examples of the API", () => {
  const examples = [PAGE, "docs/service-operations.md"]
    .flatMap((page) => blocksOf(page))
    .filter(({ language }) => language === "graphql");

  it("are many", () => assert.ok(examples.length >= 7));

  for (const { text } of examples) {
    const name = text.split("\n").slice(0, 2).join(" ").trim();
    it(`are valid and answered: ${name}`, async () => {
      assert.deepEqual(
        validate(schema, parse(text)).map(({ message }) => message),
        [],
      );
      const { api, ask } = apiOver(backend());
      if (text.startsWith("subscription")) {
        const headers = {
          "content-type": "application/json",
          accept: "text/event-stream",
          authorization: "Bearer operator-of-acme",
        };
        const body = JSON.stringify({ query: text });
        const answer = await api.fetch("http://localhost/graphql", { method: "POST", headers, body });
        assert.match(await answer.text(), /step 1|operationChanges.*acme-1/);
      } else {
        const answer = await ask(text, { token: /\bbundles\(/.test(text) ? TOKENS.all : TOKENS.admin });
        assert.equal(answer.errors, undefined);
        for (const [field, value] of Object.entries(answer.data ?? {})) assert.ok(value, field);
      }
    });
  }

  it("list each error code with its status", () => {
    const rows = [...pageText(PAGE).matchAll(/^\| `([A-Z_]+)`\s+\| (\d{3})/gm)].map(([, code = "", status]) => [
      code,
      Number(status),
    ]);
    for (const [code, status] of rows) {
      assert.equal(extensionsOf({ code: code as ApiErrorCode, reason: "" }).status, status, String(code));
    }
    const listed = rows.map(([code]) => code);
    const missing = [...CALLER_CODES, ...SERVICE_CODES].filter((code) => !listed.includes(code) && code !== "CANCELED");
    assert.deepEqual(missing, []);
  });
});
