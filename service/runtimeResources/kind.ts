import type { KubeObject, Ref } from "../../kubernetes/objects/objects";

/** The kind Runtime, as the Kyma Infrastructure Manager publishes it and the Kyma Environment Broker writes it. */
export const RUNTIMES = { apiVersion: "infrastructuremanager.kyma-project.io/v1", kind: "Runtime" } as const;

export const runtimeRef = (namespace: string, name: string): Ref => ({ ...RUNTIMES, namespace, name });

/** Keeps a Runtime until its cluster is deleted. */
export const FINALIZER = "runtime-controller.infrastructure-manager.kyma-project.io/deletion-hook";

export const LABELS = {
  runtimeId: "kyma-project.io/runtime-id",
  /** The tenant. */
  globalAccount: "kyma-project.io/global-account-id",
  subAccount: "kyma-project.io/subaccount-id",
  shootName: "kyma-project.io/shoot-name",
  region: "kyma-project.io/region",
  platformRegion: "kyma-project.io/platform-region",
} as const;

/** Annotations with which people ask for something; the value is `true`. */
export const ASKS = {
  /** Request the spec again, such as after a failure. The service removes it. */
  again: "operator.kyma-project.io/force-patch-reconciliation",
  /** Request nothing. */
  pause: "operator.kyma-project.io/suspend-patch-reconciliation",
} as const;

/** Annotations of a deployment, which say the Runtime that it belongs to, and the generation that was requested last. */
export const ANNOTATIONS = {
  uid: "infrastructuremanager.kyma-project.io/runtime-uid",
  generation: "infrastructuremanager.kyma-project.io/runtime-generation",
} as const;

export const asks = ({ metadata }: KubeObject, what: keyof typeof ASKS): boolean =>
  metadata.annotations?.[ASKS[what]] === "true";
