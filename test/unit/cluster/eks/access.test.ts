import assert from "node:assert/strict";
import { formerEntry } from "../../../../components/cluster/onEks/accessEntry";
import { associationKey, formerAssociation, plannedEntries } from "../../../../components/eks/accessEntries";
import type { Registered } from "../../runtime/mocks";
import { faultsOf, graphOf } from "./clusters";

const arn = (name: string): string => `arn:aws:iam::123456789012:role/${name}`;
const POLICY = "arn:aws:eks::aws:cluster-access-policy/AmazonEKSEditPolicy";
const admins = { ci: arn("ci") };

/** One fault that matches, for an entry `team`. */
function refuses(entry: object, pattern: RegExp): void {
  const faults = faultsOf({ access: { admins, entries: { team: { principal: arn("team"), ...entry } } } });
  assert.equal(faults.length, 1, faults.join("\n"));
  assert.match(faults[0] ?? "", pattern);
}

/** The resources of access entries that a program registers. */
async function entriesOf(access: object, who: string): Promise<Registered[]> {
  const { resources } = await graphOf({ access }, who);
  const entries = resources.filter(({ type }) => /:Access(Entry|PolicyAssociation)$/.test(type));
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

describe("the access entries of an EKS cluster", function () {
  this.timeout(20_000);

  it("have groups, and policies with scopes of their own", async () => {
    const policies = [{ policy: POLICY, namespaces: ["team", "team-*"] }, { policy: "AmazonEKSViewPolicy" }];
    const entries = { team: { principal: arn("team"), groups: ["data"], policies } };
    const made = await entriesOf({ admins, entries }, "ci");
    const team = made.filter(({ name }) => name.includes("entry/team"));
    assert.deepEqual(
      team.map(({ name, inputs }) => [
        name.replace("cluster-eks-control-plane-", ""),
        inputs["kubernetesGroups"] ?? inputs["policyArn"],
        inputs["accessScope"],
      ]),
      [
        ["entry/team", ["data"], undefined],
        ["entry/team/AmazonEKSEditPolicy", POLICY, { type: "namespace", namespaces: ["team", "team-*"] }],
        [
          "entry/team/AmazonEKSViewPolicy",
          "arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy",
          { type: "cluster" },
        ],
      ],
    );
  });

  it("may be the only administrator's", async () => {
    const admin = { principal: arn("boss"), policies: [{ policy: "AmazonEKSClusterAdminPolicy" }] };
    assert.ok(await entriesOf({ entries: { admin } }, "boss"));
    const policies = [{ policy: "AmazonEKSClusterAdminPolicy", namespaces: ["team"] }];
    assert.match(
      faultsOf({ access: { entries: { admin: { ...admin, policies } } } })[0] ?? "",
      /access\.admins: found no principal/,
    );
    const access = { admins, entries: { team: { principal: arn("team"), groups: ["data"] } } };
    await assert.rejects(entriesOf(access, "team"), /access\.admins: found no entry for .*team/);
  });

  it("are rejected where EKS rejects them", () => {
    refuses({}, /entries\.team: found an entry that grants nothing; expected groups or policies/);
    refuses({ groups: ["system:masters"] }, /groups\[0\]: found "system:masters"; expected .* begins with system:/);
    refuses({ groups: ["a", "a"] }, /groups\[1\]: found "a"; expected each group once/);
    const twice = [{ policy: POLICY, namespaces: ["a"] }, { policy: "AmazonEKSEditPolicy" }];
    refuses({ policies: twice }, /policies\[1\]\.policy: found .*; expected each policy once, with all of its/);
    const chinese = POLICY.replace("arn:aws:", "arn:aws-cn:");
    refuses(
      { policies: [{ policy: chinese }] },
      /policies\[0\]\.policy: .*; expected a policy of arn:aws, or its name/,
    );
    refuses({ policies: [{ policy: "arn:aws:iam::aws:policy/AdministratorAccess" }] }, /expected the name or the ARN/);
    for (const each of ["*", "Team", "a_b", ""])
      refuses(
        { policies: [{ policy: POLICY, namespaces: [each] }] },
        /namespaces\[0\]: .*; expected a namespace, or a/,
      );
    refuses({ policies: [{ policy: POLICY, namespaces: [] }] }, /namespaces: .*; expected at least one namespace/);
    refuses({ policies: [{ policy: POLICY, namespaces: ["a", "a"] }] }, /namespaces\[1\]: .*each namespace once/);
    refuses({ principal: admins.ci, groups: ["a"] }, /team\.principal: .*each principal once; it is admins\.ci/);
    const linked = arn("aws-service-role/autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling");
    refuses({ principal: linked, groups: ["a"] }, /principal: .*EKS has no entries for service-linked roles/);
  });

  it("are found in the state by their principals, so that another key keeps them", () => {
    const urn = (type: string, name: string) => `urn:pulumi:dev::stackyard::x$${type}::${name}`;
    const [entry, association] = [
      "aws:eks/accessEntry:AccessEntry",
      "aws:eks/accessPolicyAssociation:AccessPolicyAssociation",
    ];
    const outputs = { principalArn: arn("team"), policyArn: POLICY };
    const [ofEntry, ofPolicy] = [urn(entry, "c-reader/team"), urn(association, "c-reader/team")];
    const state = { [ofEntry]: { type: entry, outputs }, [ofPolicy]: { type: association, outputs } };
    assert.equal(formerEntry(state, arn("team")), ofEntry);
    assert.equal(formerEntry(state, arn("other")), undefined);
    assert.equal(formerAssociation(state, arn("team"), "AmazonEKSEditPolicy"), ofPolicy);
    assert.equal(formerAssociation(state, arn("team"), "AmazonEKSViewPolicy"), undefined);
  });

  it("have distinct names", () => {
    const entries = { ci: { principal: arn("x"), groups: [], policies: [{ policy: POLICY }] } };
    const planned = plannedEntries({ admins, readers: { ci: arn("r") }, entries });
    assert.deepEqual(
      planned.flatMap((each) => each.policies.map((policy) => associationKey(each, policy))),
      ["admin/ci", "reader/ci", "entry/ci/AmazonEKSEditPolicy"],
    );
  });
});
