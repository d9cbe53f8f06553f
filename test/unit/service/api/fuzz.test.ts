import assert from "node:assert/strict";
import { buildSchema } from "graphql";
import { apiOver, SDL, TOKENS } from "./client";
import { fakeBackend } from "./fakeBackend";
import { seededRandom } from "../../../../toolchain/tests/random";
import { randomQuery } from "./randomQueries";

const REQUESTS = 2000;

describe("the API with random requests", () => {
  const seed = Number(process.env["STACKYARD_FUZZ_SEED"] ?? Math.floor(Math.random() * 1e9));

  it(`answers ${REQUESTS} requests without an internal error (STACKYARD_FUZZ_SEED=${seed})`, async () => {
    const schema = buildSchema(SDL);
    const next = seededRandom(seed);
    const { ask, logged } = apiOver(fakeBackend());
    let answered = 0;
    for (let at = 0; at < REQUESTS; at += 1) {
      const query = randomQuery(schema, next);
      const answer = await ask(query, { token: at % 2 === 0 ? TOKENS.all : TOKENS.operator, tenant: "acme" });
      assert.ok(answer.status < 500, query);
      for (const { extensions } of answer.errors ?? [])
        assert.equal(extensions.class, "caller", `${query}\n${JSON.stringify(answer.errors)}`);
      if (answer.data) answered += 1;
    }
    assert.deepEqual(logged, []);
    assert.ok(answered > REQUESTS / 10, `only ${answered} were answered with data`);
  });
});
