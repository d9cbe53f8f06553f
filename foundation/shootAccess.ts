/**
 * Replaces a kubeconfig for the cluster of a Gardener Shoot. It states where to request short-lived credentials instead
 * of holding any. It is still secret, because it contains the kubeconfig of Gardener.
 */

import { isObject } from "./json/isObject";

export interface ShootAccess {
  /** Kubeconfig of Gardener (YAML text). */
  readonly garden: string;
  /** Context of that kubeconfig. Default: its current context. */
  readonly context?: string;
  /** Namespace of the Gardener project. */
  readonly namespace: string;
  /** Name of the Shoot. */
  readonly shoot: string;
  readonly role?: "admin" | "viewer";
  /** Lifetime of the credentials in seconds, 600 to 86400. Default: 3600. */
  readonly expirationSeconds?: number;
}

const KIND = "ShootAccess";

/** Serializes the access for use as `kubeconfig`. */
export const shootAccessText = (access: ShootAccess): string => JSON.stringify({ kind: KIND, ...access });

/** Parses the access. Returns undefined for an ordinary kubeconfig. */
export function readShootAccess(text: string): ShootAccess | undefined {
  // Avoids parsing ordinary kubeconfigs, which may be long.
  if (!text.startsWith(`{"kind":"${KIND}"`)) return undefined;
  const { kind, ...access } = JSON.parse(text) as ShootAccess & { readonly kind: string };
  const isWhole = [access.garden, access.namespace, access.shoot].every(
    (part) => typeof part === "string" && part !== "",
  );
  if (kind !== KIND || !isObject(access) || !isWhole) {
    throw new Error("kubeconfig: found a ShootAccess without garden, namespace or shoot; expected all of them");
  }
  return access;
}

/** Whether a text may be used as a kubeconfig. Reading it reports the details. */
export const isKubeconfigText = (text: string): boolean =>
  /\bclusters\b/.test(text) || text.startsWith(`{"kind":"${KIND}"`);
