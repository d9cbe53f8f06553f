import type { KubernetesProvisioner } from "../../../components/runtime/platform/platform";
import { RUNTIME_PROJECT } from "../../../engine/stack/names";
import { isSet } from "../../../engine/state/cluster";
import { withStore } from "../../../engine/state/store";
import { connect } from "../../../kubernetes/client/connect";
import { parseInventoryKey, type KubeObject, type Ref } from "../../../kubernetes/client/objects";
import { hasPods, rollout } from "../../../kubernetes/ready/rollout";
import { HEALTHY, type Health, type HealthOf } from "./health";

const PATIENCE_MS = 5_000;

/** A runtime in a cluster is healthy while its workloads are rolled out. */
export const podsHealth: HealthOf<KubernetesProvisioner> = async (runtime, { kubeconfig, context }, looking) => {
  const { id, platform, provisioner } = runtime;
  const state = await withStore(looking.folder, (store) => store.find(RUNTIME_PROJECT, id));
  const sets = state?.resources.filter(isSet) ?? [];
  const keys = sets.flatMap(({ outputs = {} }) => (outputs["inventory"] ?? []) as readonly string[]);
  const refs = keys.map((key) => parseInventoryKey(key)).filter(hasPods);
  // Lists all runtimes of a namespace in one request.
  const listed = ({ apiVersion, kind, namespace }: Ref): Promise<readonly KubeObject[]> =>
    looking.once([platform, provisioner, apiVersion, kind, namespace], () =>
      connect(kubeconfig, context, { patienceMs: PATIENCE_MS }).list({ apiVersion, kind, namespace }),
    );
  const found = await Promise.all(refs.map(async (ref) => [ref, await listed(ref)] as const));
  return judge(found.map(([ref, all]) => [ref, all.find(({ metadata }) => metadata.name === ref.name)]));
};

/** Judges the workloads; the first one that is not ready is the reason. Pure. */
export function judge(workloads: readonly (readonly [Ref, KubeObject | undefined])[]): Health {
  for (const [{ kind, name }, live] of workloads) {
    if (live === undefined) return { state: "unhealthy", reason: `${kind} ${name} is gone` };
    const { done, ...more } = rollout(live) as { done: boolean; progress?: string; failed?: string };
    if (!done) return { state: "unhealthy", reason: `${kind} ${name}: ${more.failed ?? more.progress ?? "not ready"}` };
  }
  return HEALTHY;
}
