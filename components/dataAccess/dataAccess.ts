import { getPartitionOutput } from "@pulumi/aws/getPartition";
import * as pulumi from "@pulumi/pulumi";
import { ManifestSet, type ManifestSetArgs } from "../resources/manifestSet";
import { component } from "../resources/package";
import type { BucketAccess } from "../cluster/onEks/buckets";
import type { Identity } from "../cluster/onEks/onEks";
import { roleName, type Subjects } from "../cluster/serviceAccountRole/plan";
import { s3Statements } from "../cluster/serviceAccountRole/s3";
import { ServiceAccountRole, withAws, type RoleCluster } from "../cluster/serviceAccountRole/serviceAccountRole";

/** An entry of `dataAccess`: which service accounts may access which data. */
export interface DataAccessConfig {
  /** Default: the cluster's name and the entry's. */
  readonly roleName?: string;
  readonly serviceAccounts: Subjects;
  readonly accounts: "make" | "annotate" | "none";
  readonly createNamespaces: boolean;
  readonly buckets: readonly BucketAccess[];
  /** ARNs by name. */
  readonly managedPolicies: Readonly<Record<string, string>>;
  /** A custom policy document (JSON). */
  readonly document?: string;
}

export interface DataAccessArgs {
  /** The cluster whose service accounts assume the roles. */
  readonly cluster: RoleCluster & { readonly access: Pick<ManifestSetArgs, "kubeconfig" | "context" | "cluster"> };
  /** Prefix of the roles' names. Plain, because a name that is too long is truncated. */
  readonly rolePrefix: string;
  /** `irsa` or `podIdentity`. Plain, because the resources depend on it. */
  readonly identity: Identity;
  /** Entries by name. Plain, because each is a role. */
  readonly entries: Readonly<Record<string, DataAccessConfig>>;
}

/** IAM roles that give pods access to data, one per entry. */
export class DataAccess extends pulumi.ComponentResource {
  /** ARN of each entry's role. */
  readonly roleArns: pulumi.Output<Record<string, string>>;

  constructor(name: string, args: DataAccessArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("DataAccess"), name, {}, withAws(args.cluster, opts));
    const { cluster, rolePrefix, identity } = args;
    const { partition } = getPartitionOutput({}, { parent: this });
    const namespaces = this.createNamespaces(name, args);
    const roles = Object.entries(args.entries).map(([key, entry]) => {
      const { roleArn } = new ServiceAccountRole(
        `${name}/${key}`,
        {
          cluster,
          roleName: entry.roleName ?? roleName(rolePrefix, key),
          identity,
          subjects: entry.serviceAccounts,
          serviceAccounts: entry.accounts,
          statements:
            entry.buckets.length > 0 ? partition.apply((known) => s3Statements(entry.buckets, known)) : undefined,
          document: entry.document,
          managedPolicies: entry.managedPolicies,
        },
        { parent: this, dependsOn: namespaces },
      );
      return [key, roleArn] as const;
    });
    this.roleArns = pulumi.output(Object.fromEntries(roles));
    this.registerOutputs({ roleArns: this.roleArns });
  }

  private createNamespaces(name: string, { entries, cluster }: DataAccessArgs): ManifestSet[] {
    const wanted = Object.values(entries).flatMap(({ createNamespaces, serviceAccounts }) =>
      createNamespaces ? Object.keys(serviceAccounts) : [],
    );
    return [...new Set(wanted)].sort().map((namespace) => {
      const objects = [{ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }];
      const args = { ...cluster.access, name: "namespace", namespace, objects, shared: true, retained: true };
      // The namespace may contain other objects.
      return new ManifestSet(`${name}-namespace/${namespace}`, args, { parent: this });
    });
  }
}
