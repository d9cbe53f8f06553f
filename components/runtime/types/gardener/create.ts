import * as pulumi from "@pulumi/pulumi";
import { isOf } from "../../../resources/running";
import { MANIFEST_SET, RUNTIME_AGENT } from "../../../resources/tokens";
import { ChoiceError } from "../../choiceError";
import { directorName } from "../../names";
import { recordOf } from "../stateRecord";
import { dataOptions } from "../../protection";
import { originOf, withOrigin } from "../../record/origin";
import type { Manifest } from "../../templates/render";
import type { OwnOutputs, RuntimeOptions } from "../runtimeType";
import { administratorBindings, operatorBindings } from "./bindings";
import { GardenerRuntime, type Contents, type RuntimeRegistration } from "./gardenerRuntime";
import { checkKyma, keptModules, resourceOf } from "./kyma/modules";
import { planKyma } from "./kyma/plan";
import type { GardenerPlan } from "./plan";
import { registrationOwner } from "./registrationOwner";
import { shootOf } from "./shoot/shoot";

const GIB = 2 ** 30;

export async function createGardener(plan: GardenerPlan, options: RuntimeOptions): Promise<OwnOutputs> {
  const { spec, deployment, request, shootName } = plan;
  if (options.clickhouse !== undefined) {
    throw new ChoiceError(
      `deployment "${deployment.id}": found resources.clickhouse; expected none with provisioner "${plan.provisioner}" of type gardener`,
      "input",
      "resources.clickhouse",
    );
  }
  const hibernated = deployment.state === "hibernated";
  const origin = originOf(plan, options.platform);
  const manifest = shootOfPlan(plan);
  const [shoot = manifest] = withOrigin([manifest], origin);
  // Objects can't be applied to a cluster that does not exist yet or is hibernated, and are not applied to one that is
  // being adopted. Existing objects are kept.
  const isFilled = options.only === undefined && options.adopt === undefined && !hibernated;
  const contents = isFilled
    ? { ...(plan.kyma && { kyma: plan.kyma }), agent: spec.director !== undefined }
    : contentsIn(plan, options);
  const resource = contents.kyma?.mode === "modules" ? resourceOf(plan, contents.kyma) : undefined;
  // Also while only the cluster is made, so that no cluster is made in vain.
  if (plan.kyma?.mode === "modules" && options.adopt === undefined && !hibernated) {
    await checkKyma({ deployment, resource: resourceOf(plan, plan.kyma), plan: plan.kyma, state: options.state });
  }
  const { shoot: made, connectionState } = new GardenerRuntime(
    plan.name,
    {
      kubeconfig: spec.kubeconfig === undefined ? undefined : pulumi.secret(spec.kubeconfig),
      context: spec.context,
      cluster: spec.cluster,
      ...(spec.clusterUid !== undefined && { expectedGardenUid: spec.clusterUid }),
      namespace: spec.namespace,
      shootName,
      shoot: options.secretDeployment ? pulumi.secret(shoot) : shoot,
      operationId: options.operation,
      wait: options.only === undefined,
      timeouts: spec.timeouts as Record<string, number>,
      auditLogs: spec.auditLogs.tenants,
      allowForceDeletion: spec.allowForceDeletion,
      ...(options.adopt !== undefined && { adopt: options.adopt }),
      bindings: isFilled
        ? [...administratorBindings(request.administrators ?? []), ...operatorBindings(spec.operatorGroups)]
        : bindingsIn(options),
      contents: { ...contents, ...(resource && { resource }) },
      // Adoption creates nothing; the next update registers the cluster.
      registration: options.adopt === undefined ? registrationOf(plan, options.platform) : undefined,
      record: recordOf(plan, options, plan.revision),
    },
    dataOptions(deployment),
  );
  const apiServer = pulumi
    .all([made.apiServer, made.domain])
    .apply(([url, domain]) => url ?? (domain === undefined ? "" : `https://api.${domain}`));
  const facts = pulumi.all([made.domain, made.kubernetesVersion, apiServer, made.hibernated]);
  return {
    host: apiServer,
    audienceUrl: apiServer,
    dataDir: "",
    cpu: made.cpu.apply((cpu) => cpu ?? 0),
    memoryGb: made.memoryGb.apply((memory) => memory ?? 0),
    storageBytes: (request.autoScalerMin ?? 0) * (request.volumeSizeGB ?? 0) * GIB,
    ...(spec.director && { agentConnection: connectionState.apply(connectionOf) }),
    seed: made.seed.apply((seed) => seed ?? ""),
    cluster: facts.apply(([domain = "", kubernetesVersion, url, asleep]) => ({
      name: shootName,
      namespace: spec.namespace,
      domain,
      kubernetesVersion,
      apiServer: url,
      hibernated: asleep,
    })),
  };
}

/** Connection states of the agent, mapped to those of the original API. */
const CONNECTIONS: Readonly<Record<string, string>> = {
  Synchronized: "Connected",
  SynchronizationFailed: "Connected",
  MetadataUpdateFailed: "Connected",
  ConnectionFailed: "Disconnected",
};
const connectionOf = (state = ""): string => CONNECTIONS[state] ?? "Pending";

/** The planned Shoot. Pure. */
export const shootOfPlan = ({ spec, deployment, request, shootName, binding }: GardenerPlan): Manifest =>
  shootOf(request, {
    name: shootName,
    namespace: spec.namespace,
    binding,
    runtimeId: deployment.id,
    hibernated: deployment.state === "hibernated",
    cloudProfiles: spec.cloudProfiles,
    maintenanceWindows: spec.maintenanceWindows,
    ...(spec.allowedCidrs && { allowedCidrs: spec.allowedCidrs }),
    ...(spec.auditLogs.policyConfigMap !== undefined && { auditPolicy: spec.auditLogs.policyConfigMap }),
  });

/** The existing bindings; empty if there are none. */
function bindingsIn({ state = {} }: RuntimeOptions): readonly Manifest[] {
  const set = Object.entries(state).find(
    ([urn, { type }]) => type === MANIFEST_SET && isOf(urn, "GardenerRuntime") && urn.endsWith("-administrators"),
  );
  return (set?.[1].outputs["objects"] ?? []) as readonly Manifest[];
}

/** The existing content of the cluster, from the latest request. It can't be changed now, and must not be removed. */
function contentsIn({ spec }: GardenerPlan, { state = {}, present }: RuntimeOptions): Contents {
  const types = Object.entries(state).flatMap(([urn, { type }]) => (isOf(urn, "GardenerKyma") ? [type] : []));
  const agent = types.includes(RUNTIME_AGENT);
  const hasKyma = types.some((type) => type !== RUNTIME_AGENT);
  const planned = hasKyma ? planKyma(spec.kyma, present?.record?.deployment.kyma) : undefined;
  const kyma = planned?.mode === "modules" ? keptModules(planned, state) : planned;
  return { ...(kyma && { kyma }), agent };
}

function registrationOf(
  { spec, deployment, request }: GardenerPlan,
  platform: string,
): RuntimeRegistration | undefined {
  const { director } = spec;
  if (director === undefined || request.tenant === undefined) return undefined;
  const { name = directorName(deployment.id), description, labels } = deployment.runtime ?? {};
  return {
    director,
    tenant: request.tenant,
    owner: registrationOwner(platform, deployment.id),
    name,
    description,
    labels,
  };
}
