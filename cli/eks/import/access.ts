/** Plans the access entries of an existing cluster. Pure. */

import { associationKey, isAdmin, plannedEntries, policyName } from "../../../components/eks/accessEntries";
import type { ImportedResource } from "../../../components/cluster/onEks/eksImports";
import { namesOf, roleNameOf } from "./names";
import type { ImportNotes, SeenEks } from "./seen";

const ENTRY = "aws:eks/accessEntry:AccessEntry";
const ASSOCIATION = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation";

interface PlannedAccess extends ImportNotes {
  readonly access: object;
  readonly imports: readonly ImportedResource[];
}

/** The role or user behind the ARN of a session. */
const principalOf = (caller: string): string =>
  caller.replace(/^(arn:[^:]+):sts::(\d+):assumed-role\/([^/]+)\/.*$/, "$1:iam::$2:role/$3");

export function planAccess({ cluster, entries: seen, caller }: SeenEks): PlannedAccess {
  const named = namesOf(40);
  const own = seen.filter(
    ({ entry }) => entry.type === "STANDARD" && !entry.principalArn?.includes(":role/aws-service-role/"),
  );
  const admins: Record<string, string> = {};
  const entries: Record<string, { principal: string; groups: string[]; policies: Policy[] }> = {};
  const kept: string[] = [];
  for (const { entry, policies } of own) {
    const { principalArn: principal = "", kubernetesGroups: groups = [] } = entry;
    const name = named(roleNameOf(principal));
    const granted = policies.map(({ policyArn = "", accessScope }): Policy => ({
      policy: policyName(policyArn),
      ...(accessScope?.type === "namespace" && { namespaces: accessScope.namespaces ?? [] }),
    }));
    const [only, ...more] = granted;
    const isPlain = more.length === 0 && groups.length === 0;
    if (isPlain && only?.policy === "AmazonEKSClusterAdminPolicy" && !only.namespaces) admins[name] = principal;
    else if (groups.length + granted.length > 0) entries[name] = { principal, groups: [...groups], policies: granted };
    else kept.push(`access: the entry of ${principal} grants nothing; it stays outside of the stack`);
  }
  const planned = plannedEntries({ admins, readers: {}, entries });
  const of = new Map(own.map(({ entry, policies }) => [entry.principalArn, policies]));
  const imports = planned.flatMap((one): ImportedResource[] => [
    {
      ...{ type: ENTRY, name: `control-plane-${one.key}`, id: `${cluster.name}:${one.principal}` },
      ...{ keep: ["userName", "type", "tags"], retain: false },
    },
    ...one.policies.map((granted): ImportedResource => {
      const arn = of
        .get(one.principal)
        ?.find(({ policyArn = "" }) => policyName(policyArn) === granted.policy)?.policyArn;
      const id = `${cluster.name}#${one.principal}#${arn}`;
      return { type: ASSOCIATION, name: `control-plane-${associationKey(one, granted)}`, id, keep: [], retain: false };
    }),
  ]);
  const me = principalOf(caller);
  const isKnown = planned.some((one) => isAdmin(one) && roleNameOf(one.principal) === roleNameOf(me));
  const mode = cluster.accessConfig?.authenticationMode ?? "CONFIG_MAP";
  if (mode !== "API")
    kept.push(
      "access.authenticationMode: the ConfigMap aws-auth grants access too; when its principals are in access.entries, remove the key, and only the entries grant it",
    );
  const usesMap = mode !== "API" && { authenticationMode: "API_AND_CONFIG_MAP" };
  const changed = [
    ...(mode === "CONFIG_MAP"
      ? ["access.authenticationMode: CONFIG_MAP becomes API_AND_CONFIG_MAP, which EKS can't take back"]
      : []),
    ...(isKnown
      ? []
      : [
          `access.admins.importer: ${me}, which runs this command, becomes an administrator; name the role of CI instead if that runs pulumi up`,
        ]),
  ];
  const all = { ...admins, ...(!isKnown && { importer: me }) };
  return {
    access: { ...usesMap, admins: all, ...(Object.keys(entries).length > 0 && { entries }) },
    ...{ imports, kept, changed, outside: [] },
  };
}

interface Policy {
  readonly policy: string;
  readonly namespaces?: readonly string[];
}
