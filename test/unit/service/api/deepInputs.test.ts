import assert from "node:assert/strict";
import { buildSchema, isInputObjectType, isNonNullType, type GraphQLInputType } from "graphql";
import { apiOver, errorOf, SDL, TOKENS, type Answer } from "./client";
import { fakeBackend } from "./fakeBackend";

const DEPTHS = [300, 20_000, 60_000];
/** Arrays and objects, as deep as a body of 256 KB can have them. */
const nested = (depth: number): string[] => [
  "[".repeat(depth) + "]".repeat(depth),
  '{"a":'.repeat(depth / 2) + "1" + "}".repeat(depth / 2),
  '[{"a":'.repeat(depth / 3) + "1" + "}]".repeat(depth / 3),
];

const schema = buildSchema(SDL);
const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
  Object.values(type?.getFields() ?? {}).map((field) => ({ kind: type?.name.toLowerCase() ?? "", field })),
);

describe("deeply nested inputs", () => {
  const { api, logged } = apiOver(fakeBackend());
  const post = async (body: string): Promise<Answer> => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${TOKENS.all}`, tenant: "acme" };
    const response = await api.fetch("http://localhost/graphql", { method: "POST", headers, body });
    return { status: response.status, ...((await response.json()) as object) };
  };
  const expectFault = (answer: Answer, what: string): void => {
    const { code, class: whose } = errorOf(answer);
    assert.deepEqual([code, whose], ["BAD_INPUT", "caller"], what);
  };
  afterEach(() => assert.deepEqual(logged, []));

  it("are rejected as a caller error in every argument of every field", async () => {
    for (const { kind, field } of fields) {
      for (const { name, type } of field.args) {
        const others = field.args
          .filter((arg) => arg.name !== name && isNonNullType(arg.type) && arg.defaultValue === undefined)
          .map((arg) => `${arg.name}: ${sample(arg.type)}`);
        const selection = /String!?$/.test(field.type.toString()) ? "" : "{ __typename }";
        const query = `${kind} ($value: ${type.toString()}) { ${field.name}(${[`${name}: $value`, ...others].join(", ")}) ${selection} }`;
        const body = `{"query":${JSON.stringify(query)},"variables":{"value":${nested(20_000)[1]}}}`;
        expectFault(await post(body), query);
      }
    }
  }).timeout(60_000);

  it("are rejected as a caller error in a deployment's JSON and annotations, at any depth", async () => {
    const query =
      'mutation ($d: DeploymentInput!) { updateDeployment(id: "acme-1", deployment: $d) { operation { id } } }';
    for (const name of ["cluster", "kyma", "runtime", "annotations"]) {
      for (const value of DEPTHS.flatMap(nested).filter(({ length }) => length < 256 * 1024)) {
        expectFault(await post(`{"query":${JSON.stringify(query)},"variables":{"d":{"${name}":${value}}}}`), name);
      }
    }
  }).timeout(60_000);

  it("are rejected as a caller error in every part of the request", async () => {
    for (const part of ["query", "operationName", "variables", "extensions", "unknown"]) {
      for (const value of nested(20_000)) {
        const others = part === "query" ? "" : '"query":"{ me { actor } }",';
        expectFault(await post(`{${others}"${part}":${value}}`), part);
      }
    }
    for (const value of nested(20_000)) expectFault(await post(value), "body");
  }).timeout(60_000);

  it("are accepted up to a practical depth", async () => {
    const query =
      'mutation ($d: DeploymentInput!) { updateDeployment(id: "acme-1", deployment: $d) { operation { id } } }';
    const [, value] = nested(60);
    assert.equal(
      (await post(`{"query":${JSON.stringify(query)},"variables":{"d":{"runtime":${value}}}}`)).errors,
      undefined,
    );
  });
});

function sample(type: GraphQLInputType): string {
  const plain = isNonNullType(type) ? type.ofType : type;
  if (isInputObjectType(plain)) return "{}";
  return /Int/.test(plain.toString()) ? "1" : /Boolean/.test(plain.toString()) ? "true" : '"x"';
}
