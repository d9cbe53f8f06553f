import type { Trust } from "../net/http";

export interface RegistryOptions {
  readonly trust: Trust;
  /** Whether it speaks http. Default: only on this machine, where nothing is said of certificates. */
  readonly plainHttp?: boolean;
  readonly credentials?: RegistryCredentials;
  /** How often what may pass is tried. Default: as often as anything else. */
  readonly tries?: number;
  readonly signal?: AbortSignal;
  /** Whether something is going to be sent to it. */
  readonly writing?: boolean;
}

/** Either a user and a password, a token that buys tokens, or the token itself. */
export interface RegistryCredentials {
  readonly username?: string;
  readonly password?: string;
  readonly identityToken?: string;
  readonly registryToken?: string;
}
