import type { Trust } from "../net/http";

export interface RegistryOptions {
  readonly trust: Trust;
  /** Use HTTP. Default: true for a registry on this machine unless `trust` has TLS settings, else false. */
  readonly plainHttp?: boolean;
  readonly credentials?: RegistryCredentials;
  /** Maximum attempts on transient errors. Default: 3. */
  readonly tries?: number;
  readonly signal?: AbortSignal;
  /** Request a token for push as well as pull. */
  readonly writing?: boolean;
}

/** A user and a password, or an identity token to exchange for tokens, or a registry token. */
export interface RegistryCredentials {
  readonly username?: string;
  readonly password?: string;
  readonly identityToken?: string;
  readonly registryToken?: string;
}
