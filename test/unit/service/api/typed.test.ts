import assert from "node:assert/strict";
import { buildSchema, isEnumType } from "graphql";
import type { Backend } from "../../../../service/api/backend";
import { ERROR_CODES } from "../../../../service/api/errors";
import { apiOver, errorOf, SDL, TOKENS } from "./client";
import { fakeBackend, OPERATIONS } from "./fakeBackend";

const schema = buildSchema(SDL);

/** Events of a subscription that ends by itself. */
async function streamed(query: string, token: string): Promise<string> {
  const headers = {
    "content-type": "application/json",
    accept: "text/event-stream",
    authorization: `Bearer ${token}`,
  };
  const { api } = apiOver(fakeBackend());
  const body = JSON.stringify({ query });
  return (await api.fetch("http://localhost/graphql", { method: "POST", headers, body })).text();
}

describe("the API for typed clients", () => {
  it("has a Relay connection for every paged list", () => {
    const lists = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(({ type }) =>
      /Connection!$/.test(type.toString()),
    );
    assert.equal(lists.length, 7);
    for (const { name, args } of lists) {
      const types = new Map(args.map((arg) => [arg.name, arg.type.toString()]));
      const paging = ["first", "after", "last", "before"].map((arg) => types.get(arg));
      assert.deepEqual(paging, ["Int", "String", "Int", "String"], name);
    }
  });

  it("has edges with cursors, and page info", async () => {
    const { data, errors } = await apiOver(fakeBackend()).ask(
      "{ deployments(last: 5) { edges { cursor node { id } } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } }",
      { token: TOKENS.all },
    );
    assert.equal(errors, undefined);
    assert.deepEqual(data?.["deployments"], {
      edges: [
        { cursor: "0", node: { id: "acme-1" } },
        { cursor: "1", node: { id: "other-1" } },
      ],
      pageInfo: { startCursor: "0", endCursor: "1", hasNextPage: false, hasPreviousPage: false },
    });
  });

  it("takes annotations with variables in them", async () => {
    const backend = fakeBackend();
    const changes: unknown[] = [];
    const request: Backend["changes"]["request"] = (given, caller) => {
      changes.push(given.change);
      return backend.changes.request(given, caller);
    };
    const { ask } = apiOver({ ...backend, changes: { ...backend.changes, request } });
    const query = `mutation ($team: String) {
      updateDeployment(id: "acme-1", deployment: { annotations: { team: $team } }) { operation { id } } }`;
    assert.equal((await ask(query, { token: TOKENS.operator, variables: { team: "data" } })).errors, undefined);
    assert.deepEqual(changes, [{ deployment: { annotations: { team: "data" } } }]);
    assert.equal(errorOf(await ask(query, { token: TOKENS.operator, variables: {} })).code, "BAD_INPUT");
  });

  it("rejects an invalid page size or cursor with the name of the argument", async () => {
    const { ask } = apiOver(fakeBackend());
    for (const [query, path] of [
      ["{ operations(last: 501) { totalCount } }", "last"],
      ['{ operations(before: "x") { totalCount } }', "before"],
      ['{ deployments(orderBy: createdAt, after: "acme-1") { totalCount } }', "after"],
    ] as const) {
      const { code, path: found } = errorOf(await ask(query));
      assert.deepEqual([code, found], ["BAD_INPUT", path]);
    }
  });

  it("finds objects of each type by nodeId, only in the tenant of the caller", async () => {
    const { ask } = apiOver(fakeBackend());
    const ids = await ask(`{ deployment(id: "acme-1") { nodeId } operation(id: "${OPERATIONS.acme}") { nodeId }
      rollout(id: "${OPERATIONS.acme}") { nodeId } }`);
    const nodes = Object.entries(ids.data ?? {}).map(([name, { nodeId }]) => [name, String(nodeId)] as const);
    assert.equal(nodes.length, 3);
    for (const [name, nodeId] of nodes) {
      const query = "query ($id: ID!) { node(id: $id) { __typename nodeId } }";
      const found = await ask(query, { variables: { id: nodeId } });
      assert.deepEqual(found.data?.["node"], { __typename: `${name[0]?.toUpperCase()}${name.slice(1)}`, nodeId });
      const theirs = nodeId.replace("acme", "other").replace(OPERATIONS.acme, OPERATIONS.other);
      for (const id of [theirs, "acme-1", "constructor:acme-1", ""]) {
        const none = await ask(query, { variables: { id } });
        assert.deepEqual([none.errors, none.data?.["node"]], [undefined, null]);
      }
    }
  });

  it("provides config and outcome as typed fields without secrets", async () => {
    const answer = await apiOver(fakeBackend())
      .ask(`{ deployment(id: "acme-1") { config { version slots annotations kyma
      operations: state resources { clickhouse { provisioner } } } operations { nodes { config { version kyma }
      outcome { changes { action count } notes runtime { deployment tenant host } } } } } }`);
    assert.equal(answer.errors, undefined);
    const { config, operations } = answer.data?.["deployment"];
    assert.deepEqual([config.version, config.slots, config.resources], ["1.0", 1, null]);
    assert.deepEqual(operations.nodes[0].outcome, {
      changes: [{ action: "create", count: 1 }],
      notes: [],
      runtime: { deployment: "acme-1", tenant: "acme", host: "h" },
    });
    assert.doesNotMatch(JSON.stringify(answer), /hidden-password/);
  });

  it("streams all operations of the caller's tenant, or those of one deployment", async () => {
    const seen = await streamed("subscription { operationChanges { id state deployment { id } } }", TOKENS.viewer);
    assert.match(seen, new RegExp(`${OPERATIONS.acme}[^]*acme-1[^]*event: complete`));
    assert.doesNotMatch(seen, new RegExp(OPERATIONS.other));
    const [theirs, nobodys] = await Promise.all(
      ["other-1", "nobody-1"].map((id) =>
        streamed(`subscription { operationChanges(deployment: "${id}") { id } }`, TOKENS.operator),
      ),
    );
    assert.match(theirs ?? "", /NOT_FOUND/);
    assert.equal(theirs, nobodys);
  });

  it("contains each error code", () => {
    const type = schema.getType("ErrorCode");
    assert.ok(isEnumType(type));
    const names = type.getValues().map(({ name }) => name);
    assert.deepEqual(names.toSorted(), ERROR_CODES.toSorted());
  });
});
