import { DIRECTOR_RULES } from "../../../../foundation/directorRules";
import { renderPath } from "../../../../foundation/schema/faults";
import { ChoiceError } from "../../choiceError";
import { locationName } from "../../names";
import type { Registration } from "../../request/registration";
import type { GardenerProvisioner } from "./spec";
import { missingIn, withDefaults } from "../../request/cluster/complete";
import { providerOf } from "../../request/cluster/providers";
import type { Issue } from "../../request/cluster/issue";
import { clusterIssues } from "../../request/cluster/rules";
import type { ClusterRequest } from "../../request/cluster/shape";
import type { PlanBase } from "../../planBase";
import { AGENT, hasAgent, KymaFault, planKyma, type KymaPlan } from "./kyma/plan";
import { LONGEST_TOGETHER, shootName } from "./shoot/name";
import type { CloudBinding } from "./shoot/shoot";

/** Checks of the registration of a runtime in a Director. */

interface Fault {
  readonly field: "name" | "description" | "labels";
  readonly found: string;
  readonly expected: string;
}

/** Throws a {@link ChoiceError} with every fault. Pure. */
function checkRegistration(
  { deployment, provisioner }: Pick<PlanBase, "deployment" | "provisioner">,
  tenant: string | undefined,
): void {
  const because = `because provisioner "${provisioner}" registers runtimes in a Director`;
  if (tenant === undefined) {
    const reason = `found no cluster.tenant; expected one, ${because}`;
    throw new ChoiceError(`deployment "${deployment.id}": ${reason}`, "input", "cluster.tenant");
  }
  const [first, ...others] = faultsOf(deployment.runtime ?? {});
  if (first === undefined) return;
  const lines = [first, ...others].map(
    ({ field, found, expected }) => `runtime.${field}: found ${found}; expected ${expected}, ${because}`,
  );
  throw new ChoiceError(`deployment "${deployment.id}": ${lines.join("\n")}`, "input", `runtime.${first.field}`);
}

/** Checks only the given fields. The default name, the id, is checked by the update: an import does not register yet. */
function faultsOf({ name, description = "", labels = {} }: Registration): Fault[] {
  const rules = DIRECTOR_RULES;
  const faults: Fault[] = [];
  if (name !== undefined && !rules.name.accepts(name)) {
    faults.push({ field: "name", found: `"${name}"`, expected: rules.name.expected });
  }
  if (!rules.description.accepts(description)) {
    const found = `${description.length} characters`;
    faults.push({ field: "description", found, expected: rules.description.expected });
  }
  for (const key of Object.keys(labels).filter((one) => !rules.labelKey.accepts(one))) {
    faults.push({ field: "labels", found: `"${key}"`, expected: rules.labelKey.expected });
  }
  return faults;
}

export interface GardenerPlan extends PlanBase {
  readonly type: "gardener";
  readonly spec: GardenerProvisioner;
  /** The request merged over the provisioner's defaults. Complete and without faults. */
  readonly request: ClusterRequest;
  readonly shootName: string;
  /** Not set for a cluster without Kyma. */
  readonly kyma?: KymaPlan;
  readonly binding: CloudBinding;
}

/** Throws a {@link ChoiceError} with every fault that appears only after the defaults are applied. */
export function planGardener(base: Omit<PlanBase, "name">, spec: GardenerProvisioner): GardenerPlan {
  const { deployment, provisioner } = base;
  if (deployment.cluster === undefined) {
    throw new ChoiceError(
      `deployment "${deployment.id}": provisioner "${provisioner}" is of type gardener; expected a deployment with cluster, {} for the provisioner's defaults`,
      "input",
      "cluster",
    );
  }
  const request = withDefaults(deployment.cluster, spec.defaults);
  const provider = providerOf(request);
  const name = request.name ?? shootName(spec.project, deployment.id);
  const credentials = provider && spec.credentialsBindings?.[provider];
  const binding: CloudBinding = {
    kind: credentials === undefined ? "SecretBinding" : "CredentialsBinding",
    name: request.targetSecret ?? credentials ?? (provider && spec.secretBindings[provider]) ?? "",
  };
  const issues: Issue[] = [...clusterIssues(request), ...missingIn(request)];
  if (binding.name === "" && provider !== undefined) {
    const expected = `a CredentialsBinding or SecretBinding, because provisioner "${provisioner}" has none for ${provider}`;
    issues.push({ path: ["targetSecret"], expected });
  }
  if (name.length + spec.project.length > LONGEST_TOGETHER) {
    const longest = LONGEST_TOGETHER - spec.project.length;
    issues.push({
      path: ["name"],
      expected: `${longest} characters at most, with project ${spec.project}`,
    });
  }
  if (issues.length > 0) {
    const asked = { ...request, name };
    const lines = issues.map(
      ({ path, expected }) =>
        `  - deployment.cluster.${renderPath(path)}: found ${found(asked, path)}; expected ${expected}`,
    );
    throw new ChoiceError(
      `deployment "${deployment.id}" with the defaults of provisioner "${provisioner}" has ${issues.length === 1 ? "1 fault" : `${issues.length} faults`}; nothing was changed.\n${lines.join("\n")}`,
      "input",
      issues.map(({ path }) => renderPath(["cluster", ...path]))[0],
    );
  }
  const kyma = kymaOf(base, spec, request);
  return {
    ...base,
    type: "gardener",
    name: locationName("gardener", spec.cluster, spec.namespace),
    spec,
    request,
    shootName: name,
    binding,
    ...(kyma && { kyma }),
  };
}

/** The value at a path, shortened for a message. */
function found(request: ClusterRequest, path: Issue["path"]): string {
  const value = path.reduce<unknown>(
    (inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key],
    request,
  );
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function kymaOf(
  base: Omit<PlanBase, "name">,
  spec: GardenerProvisioner,
  { tenant }: ClusterRequest,
): KymaPlan | undefined {
  const { deployment, provisioner } = base;
  const { kyma, director } = spec;
  if (director !== undefined) checkRegistration(base, tenant);
  let plan: KymaPlan | undefined;
  try {
    plan = planKyma(kyma, deployment.kyma);
  } catch (error) {
    if (!(error instanceof KymaFault)) throw error;
    throw new ChoiceError(
      `deployment "${deployment.id}" with provisioner "${provisioner}": ${error.message}`,
      "input",
      "kyma",
    );
  }
  // The agent is no module, so with modules the update does not wait for its connection.
  if (plan !== undefined && plan.mode !== "modules" && director?.agent === true && !hasAgent(plan)) {
    throw new ChoiceError(agentMissing(base, spec));
  }
  return plan;
}

/** Without the agent, the Director would never report a connection. */
function agentMissing(
  { deployment, provisioner }: Pick<PlanBase, "deployment" | "provisioner">,
  { kyma }: GardenerProvisioner,
): string {
  const { version = "", components = [] } = deployment.kyma ?? {};
  const modules = kyma?.versions[version]?.modules ?? {};
  const spec = `stackyard:provisioners.${provisioner}.spec`;
  const [where, what] =
    kyma?.mode === "installer" || Object.hasOwn(modules, AGENT)
      ? ["deployment.kyma.components", components.map(({ component }) => component)]
      : [`${spec}.kyma.versions["${version}"].modules`, Object.keys(modules)];
  return `deployment "${deployment.id}": ${where}: found ${what.join(", ") || "none"}; expected ${AGENT} too, because the runtime waits for its connection to the Director. Add it, or set ${spec}.director.agent to false`;
}
