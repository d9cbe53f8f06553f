import * as pulumi from "@pulumi/pulumi";
import { type Origin, withOrigin } from "../record/origin";
import { type ClickHouseValues, renderRuntime } from "../templates/render";
import type { AdoptedDatabase } from "./adopted";
import type { DatabaseAccess } from "../databaseAccess";
import type { SecretPlace } from "./accessSecret";
import { ClickHouseCluster } from "./cluster/clickHouseCluster";
import type { ClusterPlan } from "./cluster/plan";
import { serviceReach } from "./cluster/service";
import type { ClickHousePlan } from "./plan";
import { withPasswordVersion } from "./restart";
import { RuntimeDatabase } from "./runtimeDatabase";

/** A rendered database that is not registered yet. */
export interface PreparedDatabase {
  /** Values for the runtime's templates; undefined if the deployment does not request the database. */
  readonly values?: ClickHouseValues;
  readonly passwordVersion: string;
  /**
   * Registers the resources. Their names do not depend on the runtime, so moving the runtime does not affect the
   * database.
   */
  readonly create: (place?: SecretPlace, opts?: pulumi.ComponentResourceOptions) => Made;
}

/** The deployment and its platform stack. */
type Whose = Omit<Origin, "provisioner">;

interface Made {
  readonly component: pulumi.ComponentResource;
  readonly access: pulumi.Output<DatabaseAccess> | undefined;
}

/** Renders the objects first, so that an invalid template creates nothing. */
export async function prepareDatabase(
  plan: ClickHousePlan,
  engine: pulumi.ProviderResource | undefined,
  whose: Whose,
  adopted?: AdoptedDatabase,
): Promise<PreparedDatabase> {
  if (plan.type === "kubernetes") return prepareCluster(plan, engine, whose, adopted);
  const { settings, host, port, secure, writer, secret } = plan;
  const { database, user, passwordVersion, access } = settings;
  return {
    ...(access && { values: { host, port, secure, ...(writer && { writer }), database, user, secret } }),
    passwordVersion,
    create: (place, opts) => {
      const origin = { ...whose, provisioner: settings.provisioner ?? "" };
      const args = { ...settings, sources: [...settings.sources], secret, place, origin, adopted };
      const component = new RuntimeDatabase("clickhouse", args, opts);
      return { component, access: component.access };
    },
  };
}

async function prepareCluster(
  plan: ClusterPlan,
  engine: pulumi.ProviderResource | undefined,
  whose: Whose,
  adopted?: AdoptedDatabase,
): Promise<PreparedDatabase> {
  const { names, place: own, objects, access, secret, ownSecret, provisionId } = plan;
  const { timeoutSeconds, claimsWhenDeleted } = plan;
  const rendered =
    "kept" in objects ? [] : await renderRuntime(objects.values, own.namespace, objects.spec, { provider: engine });
  const origin = { ...whose, provisioner: names.provisioner };
  const manifests =
    "kept" in objects ? [...objects.kept] : withOrigin(withPasswordVersion(rendered, names.passwordVersion), origin);
  const reach = "kept" in objects ? objects.reach : serviceReach(plan, objects.spec.runtimeUrl, rendered);
  const { database, user, passwordVersion } = names;
  return {
    ...(access && { values: { ...reach, database, user, secret } }),
    passwordVersion,
    create: (place, opts) => {
      const kubeconfig = own.kubeconfig === undefined ? undefined : pulumi.secret(own.kubeconfig);
      const record = { ...names, ...reach, access };
      const known = { timeoutSeconds, claimsWhenDeleted, provisionId, manifests, record, origin };
      const secrets = { ownSecret, secret, access, adopted };
      const component = new ClickHouseCluster("clickhouse", { ...own, kubeconfig, ...known, ...secrets, place }, opts);
      return { component, access: component.access };
    },
  };
}
