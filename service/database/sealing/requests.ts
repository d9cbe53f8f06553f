import { mapSecretValues } from "../../../engine/stack/secretValues";
import type { RuntimeChange, RuntimeConfig } from "../../../engine/stack/change";
import { isSealed, SealError, type Vault } from "./vault";

export type Sealable = RuntimeConfig | RuntimeChange;

/** Owner of a request. Requests are copied between a deployment and its operations. */
export interface RequestOwner {
  readonly tenant: string;
  /** Stack of the deployment. */
  readonly deployment: string;
}

/** A request to be written. Its secrets are sealed on the way to the database. */
export class RequestOf<T extends Sealable = Sealable> {
  constructor(
    readonly owner: RequestOwner,
    readonly request: T,
  ) {}
}

const placeOf = ({ tenant, deployment }: RequestOwner, path: readonly (string | number)[]) => [
  tenant,
  deployment,
  ...path,
];

/** Without a key the request stays plain; new requests with secrets are then rejected on acceptance. */
export const sealed = <T extends Sealable>(vault: Vault, { owner, request }: RequestOf<T>): T =>
  vault.writer ? mapSecretValues(request, (value, path) => vault.seal(value, placeOf(owner, path))) : request;

/** Returns a stored request with its secrets opened. Requests from before there was a key are not sealed. */
export const opened = <T extends Sealable>(vault: Vault, owner: Partial<RequestOwner>, request: T): T =>
  mapSecretValues(request, (value, path) => {
    if (!isSealed(value)) return value;
    const { tenant, deployment } = owner;
    if (tenant === undefined || deployment === undefined) {
      throw new SealError("a query that reads a request has to read its tenant and deployment too");
    }
    return vault.open(value, placeOf({ tenant, deployment }, path));
  });

/** True if a stored request has a secret that is not sealed with the current key. */
export function isStale(vault: Vault, request: Sealable): boolean {
  let stale = false;
  mapSecretValues(request, (value) => {
    stale ||= !isSealed(value) || !vault.isCurrent(value);
    return value;
  });
  return stale;
}
