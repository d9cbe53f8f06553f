import assert from "node:assert/strict";
import { eks } from "../../../components/eks/feature";
import { createFeatures } from "../../../components/platform/create";
import { decodeConfig } from "../../../components/platform/config/decodeConfig";
import { readOwnState, type StateResources } from "../../../components/resources/ownState";
import { teams } from "../../../components/teams/feature";
import { ConfigError, renderPath } from "../../../foundation/schema/faults";
import { answerOf, outputsOf } from "../cluster/answers";
import { SMALLEST } from "../cluster/eks/clusters";
import { filesOf, KUBECONFIG } from "../config/fixtures";
import { mock, settled, type Registered } from "../runtime/mocks";
import { withWarnings } from "../runtime/warnings";

const arn = (name: string): string => `arn:aws:iam::123456789012:role/${name}`;
const EXISTING = { type: "existing", kubeconfig: { path: "kubeconfig" }, context: "other" };

const decode = (values: object) =>
  decodeConfig({ values: { ...values }, stack: "dev", isPartial: true }, filesOf({ kubeconfig: KUBECONFIG }));

function faultsOf(values: object): string[] {
  try {
    decode(values);
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.faults.map(({ path, message }) => `${renderPath(path)}: ${message}`);
  }
  return [];
}

/** What a program registers for teams, on the smallest cluster of EKS unless there is another. */
async function graphOf(all: object, cluster: object = SMALLEST, state?: StateResources): Promise<Registered[]> {
  const recorder = mock(outputsOf, (call) => answerOf(call, "ci"));
  const config = decode({ cluster, teams: all });
  await createFeatures([eks, teams], config, { archives: {} }, state ? Promise.resolve(state) : readOwnState());
  await settled(recorder);
  return recorder.resources;
}

const named = (resources: readonly Registered[], name: string): Registered => {
  const found = resources.find((each) => each.name === name);
  assert.ok(found, `no ${name} in ${resources.map((each) => each.name).join(" ")}`);
  return found;
};
type Objects = readonly { readonly kind: string; readonly [key: string]: unknown }[];
const objectsOf = ({ inputs }: Registered): Objects => inputs["objects"] as Objects;

describe("the teams of a platform", function () {
  this.timeout(20_000);

  it("have a namespace that stays, and rights that go with them", async () => {
    const quota = { "requests.cpu": 40, pods: 100 };
    const made = await graphOf({ search: { quota, limits: { default: { cpu: 1 } } } }, EXISTING);
    const own = named(made, "teams-search");
    assert.deepEqual([own.inputs["retained"], own.inputs["shared"]], [true, undefined]);
    assert.deepEqual(
      objectsOf(own).map(({ kind }) => kind),
      ["Namespace", "NetworkPolicy", "ResourceQuota", "LimitRange"],
    );
    assert.deepEqual(objectsOf(own)[2]?.["spec"], { hard: quota });
    const group = named(made, "teams-search-group");
    assert.equal(group.inputs["retained"], undefined);
    assert.deepEqual(objectsOf(group), [
      {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "RoleBinding",
        metadata: { name: "team-edit", namespace: "search" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "edit" },
        subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "team-search" }],
      },
    ]);
    assert.ok(made.every(({ type }) => !type.startsWith("aws:")));
  });

  it("keep their namespace under another name", async () => {
    const team = { namespace: "reporting", role: "view", group: "analysts" };
    const names = (made: readonly Registered[]) =>
      made.map(({ name }) => name).filter((name) => name.includes("report"));
    assert.deepEqual(names(await graphOf({ reports: team }, EXISTING)), names(await graphOf({ bi: team }, EXISTING)));
  });

  it("have one access entry for each principal, with the groups of all its teams", async () => {
    const all = { search: { principals: [arn("ada"), arn("bob")] }, reports: { principals: [arn("ada")] } };
    const made = (await graphOf(all)).filter(({ name }) => name.startsWith("teams-123456789012"));
    const entries = made.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    assert.deepEqual(
      entries.map(({ name, inputs }) => [name, inputs["clusterName"], inputs["kubernetesGroups"]]),
      [
        ["teams-123456789012/role/ada", "acme", ["team-reports", "team-search"]],
        ["teams-123456789012/role/bob", "acme", ["team-search"]],
      ],
    );
  });

  it("are refused what EKS refuses", () => {
    const principals = (...all: string[]) => ({ cluster: SMALLEST, teams: { search: { principals: all } } });
    const at = "teams.search.principals[0]: found";
    assert.deepEqual(faultsOf(principals(arn("ada"))), []);
    assert.match(
      faultsOf(principals(arn("ci")))[0] ?? "",
      /^teams\.search\.principals\[0\]: .*it is cluster\.access\.admins\.ci/,
    );
    assert.ok(faultsOf(principals(arn("acme-nodes")))[0]?.startsWith(`${at} "${arn("acme-nodes")}"; expected another`));
    assert.match(faultsOf(principals(arn("a").replace("aws", "aws-cn")))[0] ?? "", /expected a principal of arn:aws,/);
    assert.match(faultsOf(principals(arn("a"), arn("a")))[0] ?? "", /principals\[1\]: .*each principal once/);
    assert.match(faultsOf(principals("arn:aws:iam::123456789012:group/x"))[0] ?? "", /the ARN of a role or a user/);
    const group = { cluster: SMALLEST, teams: { search: { group: "system:masters" } } };
    assert.match(faultsOf(group)[0] ?? "", /^teams\.search\.group: .*begins with system:/);
    const existing = { cluster: EXISTING, teams: { search: { principals: [arn("a")] } } };
    assert.match(faultsOf(existing)[0] ?? "", /expected nothing, because the platform has no access entries/);
  });

  it("have a namespace that nothing else creates", () => {
    const faults = (all: object, more: object = {}) => faultsOf({ cluster: EXISTING, teams: all, ...more });
    assert.deepEqual(faults({ "kube-system": {}, a: { namespace: "default" } }), [
      "teams.kube-system: found the namespace kube-system; expected another one, which Kubernetes does not have itself",
      "teams.a.namespace: found the namespace default; expected another one, which Kubernetes does not have itself",
    ]);
    assert.deepEqual(faults({ a: {}, b: { namespace: "a" } }), [
      "teams.b: found the namespace a; expected another one, because it is that of teams.a",
    ]);
    const ray = (createNamespace: boolean) => ({ ray: { main: { mode: "static", namespace: "a", createNamespace } } });
    assert.deepEqual(faults({ a: {} }, ray(false)), []);
    assert.deepEqual(faults({ a: {} }, ray(true)), [
      "ray.main.createNamespace: found the namespace a; expected false, because teams.a creates it",
    ]);
    assert.match(faultsOf({ teams: { a: {} } })[0] ?? "", /^cluster: found nothing; expected the cluster of the teams/);
  });

  it("warn of a namespace without a team, and of no other", async () => {
    const urn = "urn:pulumi:dev::stackyard::stackyard:index:Teams$stackyard:index:ManifestSet::teams-old";
    const outputs = { namespace: "old", retained: true };
    const state = { [urn]: { type: "stackyard:index:ManifestSet", outputs } };
    const look = async (all: object) => {
      const config = decode({ cluster: EXISTING, teams: all });
      return (await withWarnings(async () => teams.look?.(config, Promise.resolve(state)))).warned;
    };
    assert.deepEqual(await look({ other: { namespace: "old" } }), []);
    assert.match((await look({ other: {} })).join(), /No team has the namespace old any more/);
  });
});
