import type { Platform } from "../../../components/runtime/platform/platform";
import { messageOf } from "../../../foundation/errors";
import { connect } from "../../../kubernetes/connect/connect";
import { otherUid } from "../../../kubernetes/identity/clusterUid";
import { describe, textAt, type KubeObject } from "../../../kubernetes/objects/objects";
import { judgeShoot } from "../../../kubernetes/gardener/judge";
import { isHibernated, shootRef, violated, wantsHibernation } from "../../../kubernetes/gardener/shoot";
import type { ResourceState } from "../../../engine/pulumi/state/checkpoint";
import { isShoot } from "../../../engine/stack/cluster";
import type { Problem } from "../text/problems";

const PATIENCE_MS = 3_000;

/** Gardener's conditions for the cluster as a whole. */
const CONDITIONS = ["APIServerAvailable", "ControlPlaneHealthy", "EveryNodeReady", "SystemComponentsHealthy"] as const;

/** A hibernated cluster has no API server. */
export const isClusterHibernated = (resources: readonly ResourceState[]): boolean =>
  resources.some((resource) => isShoot(resource) && resource.outputs?.["hibernated"] === true);

/** Compares the clusters in a state with Gardener. */
export async function shootProblems(
  resources: readonly ResourceState[],
  provisioner: string | undefined,
  platform: Platform | undefined,
  signal: AbortSignal,
): Promise<Problem[]> {
  const spec = platform?.provisioners[provisioner ?? ""];
  const found = resources.filter(isShoot).map(async ({ inputs = {}, outputs = {} }): Promise<Problem[]> => {
    const ref = shootRef(named(inputs, "namespace"), named(inputs, "name"));
    const title = describe(ref);
    if (spec?.type !== "gardener") {
      return [{ kind: "unknown", text: `${title}: the platform has no provisioner ${provisioner} of type gardener` }];
    }
    try {
      const client = connect(spec.kubeconfig, spec.context, { patienceMs: PATIENCE_MS, signal });
      const recorded = textAt(outputs, "gardenUid");
      const other = await otherUid(client, recorded, ref.namespace);
      if (other === undefined) return problemsOf(title, await client.get(ref), textAt(outputs, "uid"));
      const text = `${title}: it is in garden ${recorded}; its provisioner leads to garden ${other} now`;
      return [{ kind: "cluster", text }];
    } catch (error) {
      return [{ kind: "unknown", text: `Gardener did not answer: ${messageOf(error)}` }];
    }
  });
  return (await Promise.all(found)).flat();
}

const named = (inputs: object, field: string): string => textAt(inputs, "shoot", "metadata", field) ?? "";

/** Returns the problems of a cluster by the state of its Shoot. Pure. */
export function problemsOf(title: string, shoot: KubeObject | undefined, uid: string | undefined): Problem[] {
  const problem = (text: string): Problem => ({ kind: "cluster", text: `${title}: ${text}` });
  if (shoot === undefined) return [problem("it was deleted outside of this stack")];
  const { metadata } = shoot;
  if (uid !== undefined && metadata.uid !== uid) {
    return [problem(`it is another one (UID ${metadata.uid}, the state has ${uid})`)];
  }
  if (metadata.deletionTimestamp !== undefined) {
    return [problem(`it is being deleted since ${metadata.deletionTimestamp}`)];
  }
  const { state, progress, codes, advice } = judgeShoot(shoot, "changed");
  const why = codes.length > 0 ? ` (${codes.join(", ")})` : "";
  const settled = state === "done" ? [] : [problem(`${progress}${why}${advice === "" ? "" : `\n${advice}`}`)];
  if (isHibernated(shoot) && wantsHibernation(shoot)) return settled;
  const unwell = CONDITIONS.flatMap((type) => {
    const message = violated(shoot, type);
    return message === undefined ? [] : [problem(`${type}: ${message}`)];
  });
  return [...settled, ...unwell];
}
