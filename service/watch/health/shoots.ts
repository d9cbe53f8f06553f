import type { GardenerProvisioner } from "../../../components/runtime/types/gardener/spec";
import { connect } from "../../../kubernetes/connect/connect";
import { listAt, textAt, type KubeObject } from "../../../kubernetes/objects/objects";
import { GARDENER, lastOperationOf, RUNTIME_ANNOTATION } from "../../../kubernetes/gardener/shoot";
import { HEALTHY, type Health, type HealthOf } from "./health";

const PATIENCE_MS = 5_000;

/** The health of a Gardener cluster is that of its Shoot's conditions. */
export const shootHealth: HealthOf<GardenerProvisioner> = async (
  runtime,
  { kubeconfig, context, namespace },
  looking,
) => {
  const { id, platform, provisioner } = runtime;
  const shoots = await looking.once([platform, provisioner, "Shoot"], () =>
    connect(kubeconfig, context, { patienceMs: PATIENCE_MS }).list({ apiVersion: GARDENER, kind: "Shoot", namespace }),
  );
  return judgeShoot(shoots.find(({ metadata }) => metadata.annotations?.[RUNTIME_ANNOTATION] === id));
};

/**
 * Judges the conditions of a Shoot. While Gardener waits for a condition to recover it reports `Progressing`, which is
 * no reason for a notice yet. Pure.
 */
export function judgeShoot(shoot: KubeObject | undefined): Health {
  if (shoot === undefined) return { state: "unhealthy", reason: "its Shoot is gone" };
  const last = lastOperationOf(shoot);
  if (last?.state === "Failed") {
    return { state: "unhealthy", reason: `Gardener gave up the operation ${last.type}: ${last.description}` };
  }
  const conditions = listAt(shoot, "status", "conditions");
  const violated = conditions.find(({ status }) => status === "False");
  if (violated !== undefined) {
    const why = textAt(violated, "message") ?? textAt(violated, "reason") ?? "no reason given";
    return { state: "unhealthy", reason: `${textAt(violated, "type") ?? "condition"}: ${why}` };
  }
  const isKnown = conditions.some(({ status }) => status === "True");
  return isKnown ? HEALTHY : { state: "unknown", reason: "Gardener has not checked its cluster yet" };
}
