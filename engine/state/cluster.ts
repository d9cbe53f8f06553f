import { SHOOT } from "../../components/resources/tokens";
import type { Client } from "../../kubernetes/client/client";
import { connect } from "../../kubernetes/client/connect";
import type { ResourceState } from "./checkpoint";

export const isSet = ({ type }: ResourceState): boolean => type === "stackyard:index:ManifestSet";

/** A cluster from Gardener that is not to be deleted by the next update. */
export const isShoot = ({ type, delete: left }: ResourceState): boolean => type === SHOOT && left !== true;

/** The way to the cluster that a manifest set was applied to, from a state whose secrets are decrypted. */
export function clientOf({ inputs = {} }: ResourceState, patienceMs: number): Client {
  const { context } = inputs;
  return connect(plain(inputs["kubeconfig"]), typeof context === "string" ? context : undefined, { patienceMs });
}

/** A decrypted secret stands in the export as JSON inside its envelope. */
function plain(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const { plaintext } = (value ?? {}) as { plaintext?: unknown };
  return typeof plaintext === "string" ? (JSON.parse(plaintext) as string) : undefined;
}
