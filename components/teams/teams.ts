import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../cluster/cluster";
import { ManifestSet } from "../resources/manifestSet";
import { component } from "../resources/package";
import { teamBinding, teamNamespace, type TeamConfig } from "./plan";

export interface TeamsArgs {
  readonly cluster: Cluster;
  /** Teams by name. Plain, because each is a resource. */
  readonly teams: Readonly<Record<string, TeamConfig>>;
}

/** The namespaces of teams, and the rights of their groups in them. */
export class Teams extends pulumi.ComponentResource {
  constructor(name: string, { cluster, teams }: TeamsArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("Teams"), name, {}, opts);
    // Named by namespaces, so that a team with another name keeps its own.
    for (const team of Object.values(teams)) {
      const { namespace } = team;
      const place = { ...cluster.access, namespace };
      const own = new ManifestSet(
        `${name}-${namespace}`,
        // Deleting the namespace would delete the work and the disks of the team.
        { ...place, name: "namespace", objects: teamNamespace(team), retained: true },
        { parent: this },
      );
      new ManifestSet(
        `${name}-${namespace}-group`,
        { ...place, name: "team", objects: [teamBinding(team)] },
        { parent: this, dependsOn: [own] },
      );
    }
    this.registerOutputs({});
  }
}
