import * as pulumi from "@pulumi/pulumi";
import { ChoiceError } from "../choiceError";
import { type Origin, withOrigin } from "../record/origin";
import { type ClickHouseValues, renderRuntime, type Manifest } from "../templates/render";
import type { AdoptedDatabase } from "./adopted";
import { type DatabaseAccess, type Reach, reachOf } from "../databaseAccess";
import type { SecretPlace } from "./accessSecret";
import { ClickHouseCluster } from "./cluster/clickHouseCluster";
import type { ClusterPlan } from "./cluster/plan";
import type { ClickHousePlan } from "./plan";
import { withPasswordVersion } from "./restart";
import { RuntimeDatabase } from "./runtimeDatabase";

interface Service {
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly ports?: readonly { readonly name?: string; readonly port?: number }[] };
}

/** The address of a cluster for runtimes: `runtimeUrl`, or else the port `https` or `http` of its Service. */
export function serviceReach(plan: ClusterPlan, runtimeUrl: string | undefined, objects: readonly Manifest[]): Reach {
  if (runtimeUrl !== undefined) return reachOf(runtimeUrl.replaceAll("*", plan.provisionId));
  const services = objects.filter(({ kind }) => kind === "Service") as unknown as Service[];
  for (const name of ["https", "http"]) {
    for (const { metadata, spec } of services) {
      const port = spec?.ports?.find((one) => one.name === name)?.port;
      if (port === undefined) continue;
      return { host: `${metadata.name}.${plan.place.namespace}.svc`, port, secure: name === "https" };
    }
  }
  throw new ChoiceError(
    `clickhouse provisioner "${plan.names.provisioner}": found no port named http or https in the service that its templates render; expected one, by which runtimes reach the database`,
    "platform",
  );
}

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
