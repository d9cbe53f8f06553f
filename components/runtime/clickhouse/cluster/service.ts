import { ChoiceError } from "../../choiceError";
import type { Manifest } from "../../templates/render";
import { type Reach, reachOf } from "../../databaseAccess";
import type { ClusterPlan } from "./plan";

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
