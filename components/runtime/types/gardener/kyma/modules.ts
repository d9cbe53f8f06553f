import * as pulumi from "@pulumi/pulumi";
import { changesBetween } from "../../../../../foundation/pulumi/changes";
import { labelWithHash } from "../../../../../foundation/text/legalName";
import { withoutUndefined } from "../../../../../foundation/json/withoutUndefined";
import type { StateResources } from "../../../../resources/ownState";
import { KYMA_MODULES, SHOOT } from "../../../../resources/tokens";
import { ChoiceError } from "../../../choiceError";
import type { Deployment } from "../../../request/deployment";
import { providerOf } from "../../../request/cluster/providers";
import type { ClusterRequest } from "../../../request/cluster/shape";
import type { KymaPlan } from "./plan";

/** A Kyma in the cluster of Lifecycle Manager: the inputs of KymaModules that do not depend on the Shoot. */
export interface KymaResource {
  readonly controlPlaneKubeconfig?: string;
  readonly controlPlaneContext?: string;
  readonly controlPlane: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

type ByModules = Extract<KymaPlan, { readonly mode: "modules" }>;

const NAME = /^(?!.*-[0-9a-f]{16}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const LONGEST = 63;

/** The id, as the Kyma Environment Broker names a Kyma, or what is legal of it with a hash. */
const nameOf = (id: string): string =>
  NAME.test(id) ? id : labelWithHash({ text: id, whole: id, hashLength: 16, longest: LONGEST, empty: "kyma" });

const LABEL = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

/** A deployment and its cluster, as planned. */
interface Planned {
  readonly deployment: Pick<Deployment, "id">;
  readonly shootName: string;
  readonly request: ClusterRequest;
  readonly spec: {
    readonly kymaControlPlane?:
      { readonly kubeconfig?: string; readonly context?: string; readonly cluster: string } | undefined;
  };
}

/** The labels are those of the Kyma Environment Broker, as far as a request says them. Pure. */
export function resourceOf({ spec, deployment, request, shootName }: Planned, plan: ByModules): KymaResource {
  const { kubeconfig, context, cluster = "" } = spec.kymaControlPlane ?? {};
  const labels = withoutUndefined<Record<string, string>>({
    "kyma-project.io/runtime-id": deployment.id,
    "kyma-project.io/shoot-name": shootName,
    "kyma-project.io/global-account-id": request.tenant ?? "",
    "kyma-project.io/subaccount-id": request.subAccount ?? "",
    "kyma-project.io/region": request.region ?? "",
    "kyma-project.io/provider": providerOf(request) ?? "",
  });
  const legal = Object.entries(labels).filter(([, value]) => LABEL.test(value));
  return withoutUndefined<KymaResource>({
    controlPlaneKubeconfig: kubeconfig,
    controlPlaneContext: context,
    controlPlane: cluster,
    name: nameOf(deployment.id),
    labels: { ...Object.fromEntries(legal), ...plan.kyma.labels },
  });
}

/** The modules that the stack has, whatever the provisioner's defaults are by now. Pure. */
export function keptModules(plan: ByModules, state: StateResources): ByModules {
  const had = Object.values(state).find(({ type }) => type === KYMA_MODULES)?.outputs ?? {};
  const { channel, modules, labels } = { ...plan.kyma, ...(had as Partial<ByModules["kyma"]>) };
  return { ...plan, kyma: { channel, modules, labels } };
}

interface Check {
  readonly deployment: Deployment;
  readonly resource: KymaResource;
  readonly plan: ByModules;
  /** The stack before this run. */
  readonly state: StateResources | undefined;
}

/** Asks Lifecycle Manager for a request that the stack does not have yet, before a cluster is made. */
export async function checkKyma({ deployment, resource, plan, state = {} }: Check): Promise<void> {
  const find = (wanted: string) => Object.values(state).find(({ type }) => type === wanted)?.outputs;
  const { channel, modules } = plan.kyma;
  const { name, labels } = resource;
  const asked = { name, labels, channel, modules };
  const known = find(KYMA_MODULES);
  const had = known && Object.fromEntries(Object.keys(asked).map((key) => [key, known[key]]));
  if (had && Object.keys(changesBetween(had, asked)).length === 0) return;
  const preview = pulumi.runtime.isDryRun();
  const question = { ...resource, ...asked, shootUid: find(SHOOT)?.["uid"], versions: known?.["versions"], preview };
  const { faults, trouble } = (await pulumi.runtime.invoke("stackyard:index:readModuleFaults", question)) as {
    readonly faults: readonly string[];
    readonly trouble?: string;
  };
  if (trouble !== undefined) await pulumi.log.warn(`${trouble}; so the modules of Kyma were not checked`);
  if (faults.length === 0) return;
  const lines = faults.map((one) => `  - ${one}`).join("\n");
  throw new ChoiceError(
    `deployment "${deployment.id}": the modules of Kyma can't be installed; nothing was changed.\n${lines}`,
    "input",
    "kyma",
  );
}
