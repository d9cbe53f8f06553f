import { ChoiceError } from "./choiceError";
import type { Platform } from "./platform/platform";
import type { Deployment } from "./request/deployment";
import { runtimeSize } from "./size";
import { allTypes, typeOf, type RuntimePlan } from "./types/registry";

/** Plans a deployment's runtime with a provisioner, which must be in the set. Pure. */
export function planRuntime(platform: Platform, deployment: Deployment, provisioner: string): RuntimePlan {
  const spec = platform.provisioners[provisioner];
  if (spec === undefined) throw new Error(`provisioner "${provisioner}" is not in the set`);
  if (deployment.cluster !== undefined && !typeOf(spec).takesCluster) {
    throw new ChoiceError(
      `deployment "${deployment.id}" asks for a cluster; found provisioner "${provisioner}" of type ${spec.type}; expected one of type ${withCluster()}`,
      "input",
      "cluster",
    );
  }
  const revision = platform.provisionerRevisions?.[provisioner];
  const known = revision === undefined ? {} : { revision };
  const base = { provisioner, deployment, ...known, ...runtimeSize(deployment, platform.slot) };
  return typeOf(spec).plan(base, spec) as RuntimePlan;
}

const withCluster = (): string =>
  allTypes.flatMap(({ type, takesCluster }) => (takesCluster ? [type] : [])).join(" or ");
