import { renderPath } from "../../../../foundation/schema/faults";
import { ChoiceError } from "../../choiceError";
import { locationName } from "../../names";
import type { GardenerProvisioner } from "../../platform/platform";
import { missingIn, withDefaults } from "../../request/cluster/complete";
import { providerOf } from "../../request/cluster/providers";
import { clusterIssues, type Issue } from "../../request/cluster/rules";
import type { ClusterRequest } from "../../request/cluster/shape";
import type { PlanBase } from "../planBase";
import { LONGEST_TOGETHER, shootName } from "./shoot/name";

export interface GardenerPlan extends PlanBase {
  readonly type: "gardener";
  readonly spec: GardenerProvisioner;
  /** What is asked for, with the provisioner's defaults; complete and without faults. */
  readonly request: ClusterRequest;
  readonly shootName: string;
  /** SecretBinding with the account of the cloud. */
  readonly secretBinding: string;
}

/** Throws a {@link ChoiceError} with every fault that only shows with the provisioner's defaults. */
export function planGardener(base: Omit<PlanBase, "name">, spec: GardenerProvisioner): GardenerPlan {
  const { deployment, provisioner } = base;
  if (deployment.cluster === undefined) {
    throw new ChoiceError(
      `deployment "${deployment.id}": provisioner "${provisioner}" is of type gardener; expected a deployment with cluster, {} for the provisioner's defaults`,
    );
  }
  const request = withDefaults(deployment.cluster, spec.defaults);
  const provider = providerOf(request);
  const name = request.name ?? shootName(spec.project, deployment.id);
  const secretBinding = request.targetSecret ?? (provider && spec.secretBindings[provider]) ?? "";
  const issues: Issue[] = [...clusterIssues(request), ...missingIn(request)];
  if (secretBinding === "" && provider !== undefined) {
    const expected = `a SecretBinding, because provisioner "${provisioner}" has none for ${provider}`;
    issues.push({ path: ["targetSecret"], expected });
  }
  if (name.length + spec.project.length > LONGEST_TOGETHER) {
    const longest = LONGEST_TOGETHER - spec.project.length;
    issues.push({
      path: ["name"],
      expected: `${longest} characters at most, with project ${spec.project}: found ${name}`,
    });
  }
  if (issues.length > 0) {
    const lines = issues.map(
      ({ path, expected }) => `  - deployment.cluster.${renderPath(path)}: expected ${expected}`,
    );
    throw new ChoiceError(
      `deployment "${deployment.id}" with the defaults of provisioner "${provisioner}" has ${issues.length === 1 ? "1 fault" : `${issues.length} faults`}; nothing was changed.\n${lines.join("\n")}`,
    );
  }
  return {
    ...base,
    type: "gardener",
    name: locationName("gardener", spec.cluster, spec.namespace),
    spec,
    request,
    shootName: name,
    secretBinding,
  };
}
