import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildSchema, findBreakingChanges, isEnumType, isInputObjectType, isObjectType } from "graphql";
import { createSchema } from "graphql-yoga";
import { TYPES, typesText } from "../../../../service/api/generate";
import { resolvers } from "../../../../service/api/resolvers";
import { isOriginal } from "../../../../service/api/runtimes";
import { apiOver, SDL, TOKENS } from "./client";
import { fakeBackend, OPERATIONS } from "./fakeBackend";

const root = join(__dirname, "../../../..");
const text = (path: string): string => readFileSync(join(root, path), "utf8");

describe("the schema of the API", () => {
  it("matches the promised contract; additions go into the fixture", () => {
    const promised = buildSchema(text("test/fixtures/service/contract.graphql"));
    const found = findBreakingChanges(promised, buildSchema(SDL)).map(({ description }) => description);
    assert.deepEqual(found, []);
    // A field that nobody was promised could go again unnoticed.
    assert.deepEqual(findBreakingChanges(buildSchema(SDL), promised), []);
  });

  it("has a resolver for each root field, and no other resolver", () => {
    const schema = createSchema({
      typeDefs: SDL,
      resolvers,
      resolverValidationOptions: { requireResolversToMatchSchema: "error" },
    });
    for (const type of [schema.getQueryType(), schema.getMutationType()]) {
      for (const field of Object.values(type?.getFields() ?? {})) assert.ok(field.resolve, field.name);
    }
    for (const field of Object.values(schema.getSubscriptionType()?.getFields() ?? {})) assert.ok(field.subscribe);
  });

  const own = Object.values(buildSchema(SDL).getMutationType()?.getFields() ?? {})
    .filter(({ name }) => !isOriginal(name))
    .map(({ name, args, type }) => ({
      name,
      answers: type.toString(),
      args: Object.fromEntries(args.map((arg) => [arg.name, arg.type.toString()])),
    }));

  it("gives dryRun, idempotencyKey and id the same type in every mutation", () => {
    for (const { name, args, answers } of own) {
      if (answers !== "DeploymentPayload!") continue;
      assert.deepEqual([args["dryRun"], args["idempotencyKey"], args["id"]], ["Boolean!", "String", "ID!"], name);
    }
  });

  for (const { name, args } of own) {
    it(`passes the idempotency key of ${name} to the backend`, async () => {
      assert.equal(args["idempotencyKey"], "String");
      const id = /^(cancelRollout|retryOperation|cancelOperation)$/.test(name) ? OPERATIONS.acme : "acme-1";
      const values: Record<string, string> = {
        ...{ id: `"${id}"`, deployment: '{ version: "1.0" }', platform: '"dev"', provisioner: '"shared"' },
        names: '["runtimes/data-runtime-acme-1-0"]',
        lifetime: "{}",
        idempotencyKey: '"key-1"',
      };
      const given = Object.keys(args).filter((arg) => arg in values && !(arg === "platform" && "id" in args));
      const backend = fakeBackend();
      const field = `${name}(${given.map((arg) => `${arg}: ${values[arg]}`).join(", ")}) { __typename }`;
      const answer = await apiOver(backend).ask(`mutation { ${field} }`, { token: TOKENS.all, tenant: "acme" });
      assert.equal(answer.errors, undefined, JSON.stringify(answer));
      assert.deepEqual(
        backend.asked.map(({ what }) => what.endsWith(" key-1")),
        [true],
        backend.asked[0]?.what,
      );
    });
  }

  it("describes its queries, mutations and subscriptions", () => {
    const schema = buildSchema(SDL);
    for (const type of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
      for (const { name, description } of Object.values(type?.getFields() ?? {})) assert.ok(description, name);
    }
  });

  it("has no unused type", () => {
    const used = new Set(SDL.match(/(?<=:\s*\[?|^union .*[=|] )\w+/gm));
    const own = Object.values(buildSchema(SDL).getTypeMap())
      .filter((type) => isObjectType(type) || isInputObjectType(type) || isEnumType(type))
      .map(({ name }) => name)
      .filter((name) => !name.startsWith("__") && !["Query", "Mutation", "Subscription"].includes(name));
    assert.deepEqual(
      own.filter((name) => !used.has(name)),
      [],
    );
  });
});

describe("the types of the API", () => {
  it("match the output of npm run generate", async () => {
    assert.equal(text(TYPES), await typesText());
  });
});
