import type { Manifest } from "./render";

/** Kinds that are scaled to zero when a runtime hibernates. */
const SCALED = new Set(["StatefulSet", "Deployment"]);

export function scaledToZero(object: Manifest): Manifest {
  if (!SCALED.has(String(object["kind"]))) return object;
  return { ...object, spec: { ...(object["spec"] as object | undefined), replicas: 0 } };
}
