import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildSchema, findBreakingChanges, isEnumType, isInputObjectType, isObjectType } from "graphql";
import { createSchema } from "graphql-yoga";
import { TYPES, typesText } from "../../../../service/api/generate";
import { resolvers } from "../../../../service/api/resolvers";
import { SDL } from "./client";

const root = join(__dirname, "../../../..");
const text = (path: string): string => readFileSync(join(root, path), "utf8");

describe("the schema of the API", () => {
  it("keeps everything that clients were promised; what is added goes into the fixture", () => {
    const promised = buildSchema(text("test/fixtures/service/contract.graphql"));
    const found = findBreakingChanges(promised, buildSchema(SDL)).map(({ description }) => description);
    assert.deepEqual(found, []);
    // A field that nobody was promised could go again unnoticed.
    assert.deepEqual(findBreakingChanges(buildSchema(SDL), promised), []);
  });

  it("has a resolver for each field of its roots, and none for what it does not have", () => {
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

  it("gives each dry run, idempotency key and revision one name and type", () => {
    const fields = Object.values(buildSchema(SDL).getMutationType()?.getFields() ?? {});
    for (const { name, args, type } of fields) {
      if (type.toString() !== "DeploymentPayload!") continue;
      const types = Object.fromEntries(args.map((arg) => [arg.name, arg.type.toString()]));
      assert.deepEqual([types["dryRun"], types["idempotencyKey"], types["id"]], ["Boolean!", "String", "ID!"], name);
    }
  });

  it("describes its queries, mutations and subscriptions", () => {
    const schema = buildSchema(SDL);
    for (const type of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
      for (const { name, description } of Object.values(type?.getFields() ?? {})) assert.ok(description, name);
    }
  });

  it("has no type that nothing uses", () => {
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
  it("are what npm run generate writes", async () => {
    assert.equal(text(TYPES), await typesText());
  });
});
