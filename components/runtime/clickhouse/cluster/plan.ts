import { scaledToZero } from "../../templates/scaledToZero";
import { provisionId } from "../../names";
import type { Deployment } from "../../request/deployment";
import type { ChartValues, Manifest } from "../../templates/render";
import type { RuntimeSize } from "../../size";
import type { Reach } from "../../databaseAccess";
import type { ClickHouseProvisioner, TemplatedClickHouse } from "../settings";

/** A namespace in a Kubernetes cluster. */
interface ClusterPlace {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly cluster: string;
  /** UID of the cluster that it is created in. */
  readonly expectedClusterUid?: string;
  readonly namespace: string;
}

/** What the state stores about a ClickHouse cluster besides its objects. */
export interface ClusterRecord extends Reach {
  readonly provisioner: string;
  readonly database: string;
  readonly user: string;
  readonly passwordVersion: string;
  /** Whether the deployment requests the database. */
  readonly access: boolean;
}

/** Plan of a dedicated ClickHouse cluster of a deployment. */
export interface ClusterPlan {
  readonly type: "kubernetes";
  readonly provisionId: string;
  readonly place: ClusterPlace;
  readonly timeoutSeconds?: number;
  readonly claimsWhenDeleted?: string;
  readonly names: Pick<ClusterRecord, "provisioner" | "database" | "user" | "passwordVersion">;
  /** Whether the deployment requests the database. */
  readonly access: boolean;
  /** Name of the Secret for a runtime in Kubernetes. */
  readonly secret: string;
  /** Name of the Secret that the cluster's own pods read. */
  readonly ownSecret: string;
  /** Revision of its provisioner. Not set if the existing cluster stays unchanged. */
  readonly revision?: string;
  /** What to render; or the existing objects, stopped, and their address. */
  readonly objects:
    | { readonly values: ChartValues; readonly spec: TemplatedClickHouse }
    | { readonly kept: readonly Manifest[]; readonly reach: Reach };
}

/** The stack's cluster according to its state. */
export interface PresentCluster extends ClusterRecord {
  readonly type: "kubernetes";
  readonly isCreated: true;
  readonly place: ClusterPlace;
  readonly timeoutSeconds?: number;
  readonly claimsWhenDeleted?: string;
  readonly objects: readonly Manifest[];
}

interface Wanted {
  readonly deployment: Deployment;
  readonly provisioner: string;
  readonly spec: TemplatedClickHouse;
  readonly size: RuntimeSize;
  readonly database: string;
  readonly user: string;
  readonly passwordVersion: string;
}

/**
 * Plans a cluster from its provisioner's templates. An existing one keeps its namespace, because its disks are there.
 */
export function renderedCluster(wanted: Wanted, present: PresentCluster | undefined): ClusterPlan {
  const { deployment, provisioner, spec, size, database, user, passwordVersion } = wanted;
  const { timeoutSeconds, claimsWhenDeleted } = spec;
  const namespace = present?.place.namespace ?? spec.namespace;
  const named = namesOf(deployment);
  const host = `${named.service}.${namespace}.svc`;
  const values: ChartValues = {
    prefix: "clickhouse",
    provisionId: named.provisionId,
    image: spec.image,
    imageTag: spec.version,
    host: `http://${host}`,
    audienceUrl: "",
    slots: deployment.slots,
    ...size,
    dataDir: "/var/lib/clickhouse",
    environment: deployment.environment,
    annotations: deployment.annotations,
    ping: "",
    hibernated: deployment.state === "hibernated",
    clickhouse: { host, port: 8123, secure: false, database, user, secret: named.ownSecret },
  };
  return {
    type: "kubernetes",
    provisionId: named.provisionId,
    place: { ...wayOf(spec), namespace },
    timeoutSeconds,
    ...(claimsWhenDeleted && { claimsWhenDeleted }),
    names: { provisioner, database, user, passwordVersion },
    access: true,
    secret: named.secret,
    ownSecret: named.ownSecret,
    objects: { values, spec },
  };
}

/**
 * Plans an existing cluster as it is, stopped. It keeps its disks even if its provisioner was removed. If the
 * provisioner exists, its newer credentials are used.
 */
export function keptCluster(
  deployment: Deployment,
  present: PresentCluster,
  access: boolean,
  spec: ClickHouseProvisioner | undefined,
): ClusterPlan {
  const { timeoutSeconds, claimsWhenDeleted, objects, host, port, secure } = present;
  const { provisioner, database, user, passwordVersion } = present;
  const { provisionId, secret, ownSecret } = namesOf(deployment);
  const { namespace } = present.place;
  const place = spec?.type === "kubernetes" ? { ...wayOf(spec), namespace } : present.place;
  return {
    type: "kubernetes",
    ...{ provisionId, place, secret, ownSecret, access },
    ...(timeoutSeconds && { timeoutSeconds }),
    ...(claimsWhenDeleted && { claimsWhenDeleted }),
    names: { provisioner, database, user, passwordVersion },
    objects: { kept: objects.map(scaledToZero), reach: { host, port, secure } },
  };
}

const wayOf = ({ kubeconfig, context, cluster, clusterUid }: TemplatedClickHouse): Omit<ClusterPlace, "namespace"> => ({
  ...(kubeconfig && { kubeconfig }),
  ...(context && { context }),
  cluster,
  ...(clusterUid !== undefined && { expectedClusterUid: clusterUid }),
});

function namesOf({ id: deployment }: Deployment) {
  const id = provisionId(deployment);
  return {
    provisionId: id,
    service: `clickhouse-${id}`,
    secret: `clickhouse-runtime-${id}`,
    ownSecret: `clickhouse-cluster-${id}`,
  };
}
