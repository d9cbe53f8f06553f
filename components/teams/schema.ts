import * as z from "zod";
import { principal, groupName } from "../cluster/onEks/accessFields";
import { list, matching, NAMESPACE, oneOf, strict } from "../../foundation/schema/fields";
import { namespaceFields } from "../namespaces/config/schema";

/** Schema of the key `teams`. */

const LEGAL = "a legal name: a-z, 0-9 and inner -, 63 characters at most";

const team = strict("an object with namespace, group, role, principals and settings of the namespace", {
  namespace: matching(NAMESPACE, LEGAL).optional().describe("Namespace of the team. Default: its name."),
  group: groupName().optional().describe("Kubernetes group of the team. Default: `team-<name>`."),
  role: oneOf(["edit", "view", "admin"]).default("edit").describe("ClusterRole that the group has in the namespace."),
  principals: list(principal, "ARNs").describe(
    "ARNs of the IAM roles and users of the team, on a cluster of type `eks`: each gets an access entry with the group.",
  ),
  ...namespaceFields,
});

export const teamsSchema = z
  .record(matching(NAMESPACE, LEGAL), team, { error: "an object of teams by name" })
  .default({})
  .describe("Teams by name, each with a namespace, a Kubernetes group that may work in it, and a quota.");

export type TeamsInput = z.output<typeof teamsSchema>;
