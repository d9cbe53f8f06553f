/**
 * Stands where a kubeconfig does, for the cluster of a Gardener Shoot: says whom to ask for credentials of limited life
 * instead of holding any. It has a secret anyway: the way to Gardener.
 */

import { isObject } from "./json/isObject";

export interface ShootAccess {
  /** Kubeconfig of Gardener, as YAML text. */
  readonly garden: string;
  /** Context of that. Default: its current one. */
  readonly context?: string;
  /** Namespace of the Gardener project. */
  readonly namespace: string;
  /** Name of the Shoot. */
  readonly shoot: string;
  readonly role?: "admin" | "viewer";
  /** How long the credentials last, between 600 and 86400. Default: 3600. */
  readonly expirationSeconds?: number;
}

const KIND = "ShootAccess";

/** The text that is given as `kubeconfig`. */
export const shootAccessText = (access: ShootAccess): string => JSON.stringify({ kind: KIND, ...access });

/** Undefined for the text of a kubeconfig. */
export function readShootAccess(text: string): ShootAccess | undefined {
  // A kubeconfig may be long, and most are none of these.
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

/** Whether a text may stand where a kubeconfig does; what is wrong with it in detail shows when it is read. */
export const isKubeconfigText = (text: string): boolean =>
  /\bclusters\b/.test(text) || text.startsWith(`{"kind":"${KIND}"`);
