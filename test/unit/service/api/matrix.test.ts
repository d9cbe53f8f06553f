import assert from "node:assert/strict";
import { buildSchema, isNonNullType, type GraphQLField } from "graphql";
import { RIGHTS } from "../../../../service/api/rights/rights";
import { ROLES, type Role } from "../../../../service/api/auth/identity";
import { apiOver, errorOf, SDL, TOKENS, type Answer } from "./client";
import { isOriginal } from "../../../../service/api/runtimes";
import { fakeBackend, OPERATIONS } from "./fakeBackend";
import { PROVISIONING, UPGRADE, SHOOT_UPGRADE } from "./runtimes/inputs";

const schema = buildSchema(SDL);
const roots = { query: schema.getQueryType(), mutation: schema.getMutationType() };
const fields = Object.entries(roots).flatMap(([kind, type]) =>
  Object.values(type?.getFields() ?? {}).map((field) => ({ kind, field })),
);

type Whose = keyof typeof OPERATIONS;

/** A complete request for a field of the root about something of a tenant. */
function requestFor(kind: string, field: GraphQLField<unknown, unknown>, whose: Whose): string {
  const ownId = field.name === "node" ? `Deployment:${whose}-1` : `${whose}-1`;
  const values: Record<string, string> = {
    id: JSON.stringify(
      /^(operation|rollout|cancelRollout|runtimeOperationStatus|retryOperation|cancelOperation)$/.test(field.name)
        ? OPERATIONS[whose]
        : ownId,
    ),
    deployment: '{ version: "1.0" }',
    lifetime: '{ idleLimit: "7d" }',
    platform: '"dev"',
    config: configOf(field.name),
    names: JSON.stringify([`runtimes/data-runtime-${whose}-1-0`]),
  };
  const args = field.args
    .filter(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined)
    .map(({ name }) => `${name}: ${values[name] ?? assert.fail(`no value for ${name}`)}`);
  const named = args.length > 0 ? `(${args.join(", ")})` : "";
  const selection = selectionOf(field);
  return `${kind} { ${field.name}${named} ${selection === "" ? "" : `{ __typename ${selection} }`} }`;
}

function configOf(name: string): string {
  if (name.startsWith("provisionRuntime")) return PROVISIONING;
  return name === "upgradeRuntime" ? UPGRADE : SHOOT_UPGRADE;
}

/** The original's API needs the header tenant. */
const headerOf = ({ name }: { readonly name: string }) => (isOriginal(name) ? { tenant: "acme" } : {});

const SELECTIONS: Readonly<Record<string, string>> = {
  Deployment: "id tenant",
  Node: "nodeId ... on Deployment { id tenant }",
  Operation: "id tenant deployment { id tenant }",
  "DeploymentPayload!": "deployment { id tenant } operation { id tenant }",
  "DeploymentConnection!": "totalCount nodes { id tenant }",
  "RuntimeConnection!": "totalCount nodes { deployment tenant }",
  "OperationConnection!": "totalCount nodes { id tenant deployment { id tenant } }",
  "AuditConnection!": "totalCount nodes { target tenant }",
  "NoticeConnection!": "totalCount nodes { subject tenant }",
  "[Provisioner!]!": "name hosts { host }",
  "Plan!": "deployment",
  "Me!": "tenant",
  Rollout: "id tenant items { deploymentId }",
  "Rollout!": "id tenant items { deploymentId }",
  "[Rollout!]!": "id tenant",
  "KeptDiskConnection!": "totalCount totalGib nodes { name tenant }",
  "DeletedDisks!": "totalGib disks { name tenant }",
  "BundleConnection!": "totalCount nodes { name platform restored { object } }",
  "OrphanReport!": "unseen nodes { id tenant }",
  "Deployment!": "id tenant drift { checkedAt }",
  RuntimeStatus: "lastOperationStatus { id runtimeID } runtimeConfiguration { clusterConfig { name } kubeconfig }",
  OperationStatus: "id runtimeID operation state",
  "RuntimeKubeconfig!": "kubeconfig role",
  "String!": "",
};
const selectionOf = ({ type }: GraphQLField<unknown, unknown>): string =>
  SELECTIONS[type.toString()] ?? assert.fail(`no selection for ${type.toString()}`);

const READS = [
  "deployment",
  "deployments",
  "runtimes",
  "operation",
  "operations",
  "provisioners",
  "notices",
  "keptDisks",
  "plan",
  "me",
  "node",
  "rollout",
  "rollouts",
  "runtimeStatus",
  "runtimeOperationStatus",
  // A viewer's, for viewers.
  "issueRuntimeKubeconfig",
];
/** They know of no tenants. */
const GLOBAL = ["bundles", "orphans", "adoptDeployment", "forgetDeployment"];
/** Changes that an administrator of all tenants may ask for without naming one. */
const OF_ALL = ["refreshPlatform", "cancelRollout", "deleteKeptDisks"];
const FOR_ADMINISTRATORS = ["audit", "unprotectDeployment", "refreshPlatform", "cancelRollout"];

/** Written out here, so that a slip in the service's own table shows. */
const mayDo = (role: Role, name: string): boolean =>
  !GLOBAL.includes(name) &&
  (role === "admin" || READS.includes(name) || (role === "operator" && !FOR_ADMINISTRATORS.includes(name)));

/** What a caller who may do it gets: an answer about its own, and the same about others' as about what is not there. */
const isRefused = (answer: Answer): boolean => errorOf(answer).code === "FORBIDDEN";

/** A new deployment may have any id, and a new runtime gets one of its own. */
const sameIds = (answer: Answer | undefined): unknown =>
  JSON.parse(
    JSON.stringify(answer ?? null).replaceAll(
      /(other|nobody)-1|(?<="(?:runtimeID|deployment)":")[0-9a-f-]{36}/g,
      "<id>",
    ),
  );

describe("the rights of each role", () => {
  it("is defined for every operation of the API", () => {
    const subscriptions = Object.keys(schema.getSubscriptionType()?.getFields() ?? {});
    const names = [...fields.map(({ field }) => field.name), ...subscriptions];
    assert.deepEqual(names.toSorted(), Object.keys(RIGHTS).toSorted());
  });

  for (const { kind, field } of fields) {
    for (const role of ROLES) {
      it(`${role}: ${field.name} of its own tenant is ${mayDo(role, field.name) ? "done" : "refused"}`, async () => {
        const backend = fakeBackend();
        const answer = await apiOver(backend).ask(requestFor(kind, field, "acme"), {
          token: TOKENS[role],
          ...headerOf(field),
        });
        if (mayDo(role, field.name)) {
          assert.equal(answer.errors, undefined);
          assert.ok(answer.data?.[field.name]);
          assert.equal(backend.asked.length, kind === "mutation" ? 1 : 0);
        } else {
          assert.ok(isRefused(answer), JSON.stringify(answer));
          assert.deepEqual(backend.asked, []);
        }
      });

      it(`${role}: ${field.name} of another tenant is answered as if it did not exist`, async () => {
        const { ask } = apiOver(fakeBackend());
        const request = requestFor(kind, field, "other");
        const missing = request
          .replaceAll("other-1", "nobody-1")
          .replaceAll(OPERATIONS.other, OPERATIONS.other.replace(/2$/, "9"));
        const [theirs, nobodys] = await Promise.all(
          [request, missing].map((each) => ask(each, { token: TOKENS[role], ...headerOf(field) })),
        );
        assert.deepEqual(sameIds(theirs), sameIds(nobodys));
        assert.doesNotMatch(JSON.stringify(theirs?.data ?? {}), /"other(?!-1)|secret-host/);
      });

      it(`${role}: ${field.name} with another tenant in the header is refused`, async () => {
        const backend = fakeBackend();
        const { ask } = apiOver(backend);
        const asking = { token: TOKENS[role], tenant: "other" };
        const answer = await ask(requestFor(kind, field, "other"), asking);
        assert.ok(isRefused(answer), JSON.stringify(answer));
        assert.deepEqual(backend.asked, []);
        const unheard = await ask(requestFor(kind, field, "other"), { ...asking, tenant: "nobody" });
        assert.equal(errorOf(unheard).reason, errorOf(answer).reason.replace("other", "nobody"));
      });
    }

    it(`no caller: ${field.name} is refused without a valid token`, async () => {
      const backend = fakeBackend();
      const { ask } = apiOver(backend);
      for (const token of ["", "wrong-token", "viewer-of-acme "]) {
        const answer = await ask(requestFor(kind, field, "acme"), { token });
        if (token.trim() === TOKENS.viewer) continue;
        assert.equal(answer.status, 401);
        assert.equal(errorOf(answer).code, "UNAUTHENTICATED");
      }
      assert.deepEqual(backend.asked, []);
    });

    it(`an administrator of all tenants: ${field.name} works in the tenant that the header names`, async () => {
      const { ask } = apiOver(fakeBackend());
      const answer = await ask(requestFor(kind, field, "other"), { token: TOKENS.all, tenant: "other" });
      assert.equal(answer.errors, undefined);
    });

    if (kind === "mutation" && !OF_ALL.includes(field.name)) {
      it(`an administrator of all tenants: ${field.name} needs the header tenant`, async () => {
        const backend = fakeBackend();
        const answer = await apiOver(backend).ask(requestFor(kind, field, "other"), { token: TOKENS.all });
        assert.match(
          errorOf(answer).reason,
          isOriginal(field.name) ? /^tenant header is empty/ : /^the header tenant is empty/,
        );
        assert.equal(errorOf(answer).status, 400);
        assert.deepEqual(backend.asked, []);
      });
    }
  }

  it("lets an administrator of all tenants read the deployments of all tenants", async () => {
    const answer = await apiOver(fakeBackend()).ask("{ deployments { nodes { tenant } } }", { token: TOKENS.all });
    assert.deepEqual(answer.data?.["deployments"].nodes, [{ tenant: "acme" }, { tenant: "other" }]);
  });

  for (const role of ROLES) {
    it(`${role}: follows operations of its own tenant only`, async () => {
      const { api } = apiOver(fakeBackend());
      const follow = async (id: string): Promise<string> => {
        const query = `subscription { operationEvents(id: "${id}") { id text } }`;
        const headers = {
          "content-type": "application/json",
          accept: "text/event-stream",
          authorization: `Bearer ${TOKENS[role]}`,
        };
        const body = JSON.stringify({ query });
        return (await api.fetch("http://localhost/graphql", { method: "POST", headers, body })).text();
      };
      assert.match(await follow(OPERATIONS.acme), /step 1[\s\S]*step 2[\s\S]*event: complete/);
      const [theirs, nobodys] = await Promise.all([OPERATIONS.other, "nothing"].map(follow));
      assert.match(theirs ?? "", /NOT_FOUND/);
      assert.equal(theirs, nobodys);
    });
  }
});
