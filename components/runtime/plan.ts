import { ChoiceError } from "./choiceError";
import type { Platform } from "./platform/platform";
import type { Deployment } from "./request/deployment";
import { runtimeSize } from "./size";
import { allTypes, typeOf, type RuntimePlan } from "./types/registry";

/** Plans a deployment's runtime with a provisioner, which must be in the set. `disk`: the kept disk to use. Pure. */
export function planRuntime(
  platform: Platform,
  deployment: Deployment,
  provisioner: string,
  disk?: string,
): RuntimePlan {
  const spec = platform.provisioners[provisioner];
  if (spec === undefined) throw new Error(`provisioner "${provisioner}" is not in the set`);
  if (deployment.cluster !== undefined && !typeOf(spec).takesCluster) {
    throw new ChoiceError(
      `deployment "${deployment.id}" asks for a cluster; found provisioner "${provisioner}" of type ${spec.type}; expected one of type ${typesThat("takesCluster")}`,
      "input",
      "cluster",
    );
  }
  if (disk !== undefined && !typeOf(spec).takesDisk) {
    throw new ChoiceError(
      `deployment "${deployment.id}" asks for the kept disk ${disk}; found provisioner "${provisioner}" of type ${spec.type}; expected one of type ${typesThat("takesDisk")}`,
      "input",
      "disk",
    );
  }
  const revision = platform.provisionerRevisions?.[provisioner];
  const known = revision === undefined ? {} : { revision };
  const base = { provisioner, deployment, ...known, ...runtimeSize(deployment, platform.slot) };
  return typeOf(spec).plan(base, spec) as RuntimePlan;
}

const typesThat = (takes: "takesCluster" | "takesDisk"): string =>
  allTypes.flatMap((one) => (one[takes] ? [one.type] : [])).join(" or ");
