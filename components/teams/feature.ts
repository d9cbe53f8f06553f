import * as pulumi from "@pulumi/pulumi";
import { feature } from "../feature";
import { isOf } from "../resources/running";
import type { StateResources } from "../resources/ownState";
import { decodeTeams } from "./decode";
import type { TeamConfig } from "./plan";
import { teamsSchema } from "./schema";

export interface TeamsPart {
  /** Teams by name. */
  readonly teams: Readonly<Record<string, TeamConfig>>;
}

/** Teams of the platform: a namespace, a group with rights in it, and a quota. */
export const teams = feature({
  name: "teams",
  keys: { teams: teamsSchema },
  reference: [{ title: "Teams", intro: "[More about teams](teams.md).", at: ["teams", "<name>"] }],

  decode: (read, context): TeamsPart => ({ teams: decodeTeams(read("teams") ?? {}, context) }),
  namespaces: ({ teams: all }) =>
    Object.entries(all).map(([name, { namespace, protection }]) => ({
      base: ["teams", name],
      createNamespace: true,
      isOnly: true,
      namespace,
      config: protection,
    })),
  needs: ({ teams: all }) =>
    Object.entries(all).map(([name, { namespace }]) => ({
      path: `teams.${name}`,
      type: "objects",
      namespace,
      resources: [
        "rolebindings.rbac.authorization.k8s.io",
        "resourcequotas",
        "limitranges",
        "networkpolicies.networking.k8s.io",
      ],
    })),
  look: ({ teams: all }, state) => warnOfRemoved(all, state),

  async create({ teams: all }, { provided: { cluster }, named, parent, state }) {
    if (!cluster || Object.keys(all).length === 0) return undefined;
    const name = named("teams");
    const { Teams } = await import("./teams.js");
    const made = new Teams(name, { cluster, teams: all }, { parent });
    const { identity } = cluster;
    if (identity && Object.values(all).some(({ principals }) => principals.length > 0)) {
      // Without the modules for AWS, a platform starts a third faster.
      const { createEntries } = await import("./entries.js");
      createEntries(name, identity, all, await state, made);
    }
    return { guarded: [made], provides: { teams: made } };
  },
});

/** Warns of namespaces that stay without a team. */
async function warnOfRemoved(all: TeamsPart["teams"], state: Promise<StateResources>): Promise<void> {
  const before = Object.entries(await state).flatMap(([urn, { outputs }]) =>
    isOf(urn, "Teams") && outputs["retained"] === true ? [String(outputs["namespace"])] : [],
  );
  const now = new Set(Object.values(all).map(({ namespace }) => namespace));
  for (const namespace of before.filter((each) => !now.has(each))) {
    await pulumi.log.warn(
      `No team has the namespace ${namespace} any more: its group loses its rights, and the namespace stays with all that is in it. ` +
        `To delete it with its disks: kubectl delete namespace ${namespace}`,
    );
  }
}
