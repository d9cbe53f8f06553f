import type { ClusterNeed } from "../../components/contract/needs";
import { count } from "../../foundation/text/numbers";
import type { Client } from "../../kubernetes/client/client";
import { forAll } from "../../kubernetes/client/pool";
import { findingsOf, type Finding } from "./finding";

const { ok, warning, fault } = findingsOf("rights");

interface Right {
  readonly verb: string;
  /** With its API group: `deployments.apps`. */
  readonly resource: string;
  readonly namespace?: string | undefined;
  readonly path: string;
}

/** The platform never deletes a namespace that it created. */
const verbsFor = (resource: string): readonly string[] =>
  resource === "namespaces" ? ["create", "patch"] : ["create", "patch", "delete"];

/** Asks the cluster for each right that is needed. */
export async function rightsFindings(client: Client, needs: readonly ClusterNeed[]): Promise<Finding[]> {
  const asked = needs.flatMap((need) => (need.type === "objects" ? [need] : []));
  const rights = asked.flatMap(({ path, namespace, resources }) =>
    resources.flatMap((resource) => verbsFor(resource).map((verb): Right => ({ verb, resource, namespace, path }))),
  );
  const [me, seesNodes, allowed] = await Promise.all([
    userOf(client),
    isAllowed(client, { verb: "list", resource: "nodes", path: "" }),
    forAll(rights, (right) => isAllowed(client, right)),
  ]);
  const denied = rights.filter((_, index) => !allowed[index]);
  const faults = [...Map.groupBy(denied, ({ namespace }) => namespace)].map(([namespace, some]) =>
    deniedFinding(me, namespace, some),
  );
  const unseen = seesNodes
    ? []
    : [warning(`${me} may not list nodes, so whether pods fit is not checked`, "allow list of nodes")];
  return [
    ...(faults.length === 0 ? [ok(`${me} has the ${count(rights.length, "right")} that are needed`)] : faults),
    ...unseen,
  ];
}

function deniedFinding(me: string, namespace: string | undefined, denied: readonly Right[]): Finding {
  const unique = (of: (right: Right) => string): string[] => [...new Set(denied.map(of))].sort();
  const [verbs, resources] = [unique(({ verb }) => verb), unique(({ resource }) => resource)];
  const paths = unique(({ path }) => `stackyard:${path}`);
  const where = namespace === undefined ? "in the cluster" : `in the namespace ${namespace}`;
  const role = namespace === undefined ? "clusterrole stackyard" : `role stackyard --namespace ${namespace}`;
  return fault(
    `${me} may not ${verbs.join(", ")} ${resources.join(", ")} ${where}, which ${paths.join(", ")} needs`,
    `as an administrator: kubectl create ${role} --verb=${verbs.join(",")} --resource=${resources.join(",")}, and bind it to ${me}`,
  );
}

async function isAllowed(client: Client, { verb, resource, namespace }: Right): Promise<boolean> {
  const [plural = "", ...group] = resource.split(".");
  const resourceAttributes = { verb, group: group.join("."), resource: plural, ...(namespace && { namespace }) };
  const spec = { resourceAttributes };
  const { status } = await client.review("authorization.k8s.io/v1", "SelfSubjectAccessReview", spec);
  return (status as { readonly allowed?: boolean } | undefined)?.allowed === true;
}

async function userOf(client: Client): Promise<string> {
  const { status } = await client.review("authentication.k8s.io/v1", "SelfSubjectReview", {});
  const { userInfo } = (status ?? {}) as { readonly userInfo?: { readonly username?: string } };
  return userInfo?.username ?? "the user";
}
