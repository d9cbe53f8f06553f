import { SHOOT } from "../../components/resources/tokens";
import type { Client } from "../../kubernetes/client/client";
import { connect } from "../../kubernetes/client/connect";
import type { ResourceState } from "./checkpoint";

export const isSet = ({ type }: ResourceState): boolean => type === "stackyard:index:ManifestSet";

/** True for a Gardener cluster that is not marked for deletion. */
export const isShoot = ({ type, delete: left }: ResourceState): boolean => type === SHOOT && left !== true;

/** Returns a client for the cluster of a manifest set, from a state with decrypted secrets. */
export function clientOf({ inputs = {} }: ResourceState, patienceMs: number): Client {
  const { context } = inputs;
  return connect(plain(inputs["kubeconfig"]), typeof context === "string" ? context : undefined, { patienceMs });
}

/** In the export, a decrypted secret is JSON text inside its envelope. */
function plain(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const { plaintext } = (value ?? {}) as { plaintext?: unknown };
  return typeof plaintext === "string" ? (JSON.parse(plaintext) as string) : undefined;
}
