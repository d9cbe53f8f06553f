import type { KubernetesProvisioner } from "../../../components/runtime/types/kubernetes/spec";
import { appliedIn, isSet } from "../../../engine/stack/cluster";
import { RUNTIME_PROJECT } from "../../../engine/stack/names";
import { withStore } from "../../../engine/pulumi/state/store";
import { connect } from "../../../kubernetes/connect/connect";
import { parseInventoryKey, type KubeObject, type Ref } from "../../../kubernetes/objects/objects";
import { claimFindings, findingText, objectFindings, recordedFor } from "../../../kubernetes/drift/truth";
import { hasPods, rollout } from "../../../kubernetes/rollout/rollout";
import { givenFor, type Applied } from "../../../kubernetes/ready/status";
import { HEALTHY, type Health, type HealthOf } from "./health";

const PATIENCE_MS = 5_000;

/** A workload of a runtime, with all objects of its kind and all claims of its namespace. */
export interface Workload {
  readonly ref: Ref;
  readonly applied: Applied;
  readonly live: readonly KubeObject[];
  readonly claims: readonly KubeObject[];
}

/** A runtime in a cluster is healthy while its workloads and their claims are as applied, and rolled out. */
export const podsHealth: HealthOf<KubernetesProvisioner> = async (runtime, { kubeconfig, context }, looking) => {
  const { id, platform, provisioner } = runtime;
  const state = await withStore(looking.workspace, (store) => store.find(RUNTIME_PROJECT, id));
  // Lists all runtimes of a namespace in one request.
  const listed = ({ apiVersion, kind, namespace }: Omit<Ref, "name">): Promise<readonly KubeObject[]> =>
    looking.once([platform, provisioner, apiVersion, kind, namespace], () =>
      connect(kubeconfig, context, { patienceMs: PATIENCE_MS }).list({ apiVersion, kind, namespace }),
    );
  const workloads = (state?.resources ?? []).filter(isSet).flatMap((set) => {
    const applied = appliedIn(set);
    const refs = applied.inventory.map((key) => parseInventoryKey(key)).filter(hasPods);
    return refs.map(async (ref): Promise<Workload> => {
      const isRecorded = Object.keys(recordedFor(applied.claims, ref, givenFor(applied, ref))).length > 0;
      const { namespace } = ref;
      const claims = isRecorded ? await listed({ apiVersion: "v1", kind: "PersistentVolumeClaim", namespace }) : [];
      return { ref, applied, live: await listed(ref), claims };
    });
  });
  return judge(await Promise.all(workloads));
};

/** Judges the workloads; the first one that is not as applied, or not ready, is the reason. Pure. */
export function judge(workloads: readonly Workload[]): Health {
  for (const { ref, applied, live, claims } of workloads) {
    const own = live.find(({ metadata }) => metadata.name === ref.name);
    const given = givenFor(applied, ref);
    const recorded = recordedFor(applied.claims, ref, given);
    const its = claims.filter(({ metadata: { namespace, name } }) => `${namespace}/${name}` in recorded);
    const [finding] = [...objectFindings(own, ref, given, applied.owner), ...claimFindings(its, recorded)];
    if (finding !== undefined) return { state: "unhealthy", reason: findingText(finding) };
    if (own === undefined) continue;
    const { done, ...more } = rollout(own) as { done: boolean; progress?: string; failed?: string };
    if (!done) {
      return { state: "unhealthy", reason: `${ref.kind} ${ref.name}: ${more.failed ?? more.progress ?? "not ready"}` };
    }
  }
  return HEALTHY;
}
