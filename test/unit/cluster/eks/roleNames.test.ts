import { Provider } from "@pulumi/aws/provider";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { projectFiles } from "../../../../foundation/schema/files";
import { join } from "node:path";
import type { EksConfig } from "../../../../components/cluster/onEks/eksConfig";
import type { PlannedRole } from "../../../../components/cluster/serviceAccountRole/plan";
import { plannedRoles } from "../../../../components/platform/facts";
import { checkRoleNames } from "../../../../components/eks/preflight/roleNames";
import type { ClusterConfig } from "../../../../components/cluster/clusterConfig";
import type { StateResource } from "../../../../components/resources/ownState";
import { decodeConfig } from "../../../../components/platform/config/decodeConfig";
import type { Node } from "../../../engine/snapshots/graph";
import { committedConfig, withNodes } from "../../../engine/eks/world";
import { mock, type Call, type Recorder } from "../../runtime/mocks";

const arnOf = (name: string): string => `arn:aws:iam::123456789012:role/${name}`;
const owned = (name: string): StateResource => ({ type: "aws:iam/role:Role", outputs: { name } });

const eks = { name: "acme", region: "eu-west-1", roles: {} } as EksConfig;
const made: ClusterConfig = { type: "eks", eks };
const there: ClusterConfig = { type: "existing", eks: { ...eks, tags: {} }, access: { server: "https://there" } };
const ROLES: readonly PlannedRole[] = [
  { name: "acme-control-plane", isPrefixed: true },
  { name: "acme-aws-load-balancer-controller", isPrefixed: true, key: "ingress.awsLoadBalancerController.roleArn" },
  { name: "acme-daft", isPrefixed: true, key: "dataAccess.daft.roleName" },
  { name: "readers", isPrefixed: false, key: "dataAccess.read.roleName" },
];

describe("the role names of a cluster", () => {
  let recorder: Recorder;
  const asked = () => recorder.calls.map(({ inputs }) => inputs["name"]);
  /** `taken`: roles that the account has. */
  function check(taken: readonly string[], state: readonly StateResource[] = [], cluster = made) {
    const answer = ({ inputs: { name } }: Call) => {
      if (taken.includes("*")) throw new Error("AccessDenied: not authorized to perform iam:GetRole");
      if (!taken.includes(String(name))) throw new Error(`reading IAM Role (${String(name)}): couldn't find resource`);
      return { arn: arnOf(String(name)), createDate: "2026-01-02T03:04:05Z", tags: { team: "data" } };
    };
    recorder = mock(() => ({}), answer, "prod");
    return checkRoleNames(cluster, ROLES, state, new Provider("aws", { region: "eu-west-1" }));
  }
  async function faultsOf(...args: Parameters<typeof check>): Promise<string> {
    let text = "";
    await assert.rejects(check(...args), (error: Error) => {
      text = error.message;
      return true;
    });
    return text;
  }

  it("are rejected before anything is created if the account has them, with the command to fix it", async () => {
    assert.equal(
      await faultsOf(["acme-control-plane", "acme-daft"]),
      [
        'stackyard:cluster.roles.prefix: found "acme", and the account has the role arn:aws:iam::123456789012:role/acme-control-plane already, ' +
          "created on 2026-01-02T03:04:05Z with the tags team=data, which this stack does not have; also acme-daft; " +
          "expected a prefix of its own, because names of roles are unique in an account, not in a region:",
        "  pulumi config set --stack prod --path stackyard:cluster.roles.prefix acme-eu-west-1",
        "If nothing uses the role any more, delete it instead.",
        "Nothing was changed.",
      ].join("\n"),
    );
    assert.deepEqual(
      asked(),
      ROLES.map(({ name }) => name),
    );
    assert.match(await faultsOf(["acme-daft"], [], there), /^stackyard:cluster\.eks\.roles\.prefix: found "acme"/);
  });

  it("are rejected one by one if the stack has some of the roles", async () => {
    const state = [owned("acme-control-plane")];
    const text = await faultsOf(["acme-daft", "acme-aws-load-balancer-controller", "readers"], state);
    assert.doesNotMatch(text, /prefix/);
    assert.match(text, /^stackyard:dataAccess\.daft\.roleName: the account has the role \S+\/acme-daft already/m);
    assert.match(text, /--path stackyard:dataAccess\.daft\.roleName acme-daft-eu-west-1$/m);
    assert.match(text, /^stackyard:ingress\.awsLoadBalancerController: the account has the role/m);
    assert.match(
      text,
      /--path stackyard:ingress\.awsLoadBalancerController\.roleArn arn:aws:iam::123456789012:role\/acme-aws-load/m,
    );
    assert.match(text, /^stackyard:dataAccess\.read\.roleName: /m);
    const others = ROLES.slice(1).map(({ name }) => owned(name));
    assert.match(await faultsOf(["acme-control-plane"], others), /^stackyard:cluster: the account has the role/);
  });

  it("are accepted if they are free or if the deployer may not read them", async () => {
    await check([]);
    assert.equal(asked().length, ROLES.length);
    await check(["*"]);
  });

  it("are not checked if the stack has the roles", async () => {
    const names = ROLES.map(({ name }) => name);
    await check(names, names.map(owned));
    assert.deepEqual(asked(), []);
  });

  for (const stage of ["staging", "prod", "staging-karpenter", "staging-auto"]) {
    it(`include every role that the program creates (${stage})`, () => {
      const [file = "", nodes] = stage.split("-");
      // Its client secret is nobody's.
      const jupyterhub = { auth: { type: "dummy" }, dataAccess: "daft", nodePool: "notebooks" };
      const committed = { ...committedConfig(file), jupyterhub };
      const values = nodes === undefined ? committed : withNodes(committed, nodes as "auto");
      const config = decodeConfig({ values, stack: "dev" }, projectFiles("."));
      const graph = JSON.parse(
        readFileSync(join(__dirname, "../../../fixtures/graphs", `${stage}.json`), "utf8"),
      ) as Node[];
      const created = graph.flatMap(({ type, inputs }) =>
        type === "aws:iam/role:Role" ? [(inputs as { name: string }).name] : [],
      );
      assert.ok(created.length > 2, String(created.length));
      assert.deepEqual(
        plannedRoles(config)
          .map(({ name }) => name)
          .sort(),
        created.sort(),
      );
    });
  }
});
