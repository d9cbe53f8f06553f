import type { Vault } from "./vault";

/**
 * Digests of requests, which identify a repeated request. A reader of a digest could guess a secret in the request by
 * brute force, so digests of requests with secrets are sealed.
 */

const placeOf = (tenant: string, key: string): readonly string[] => ["idempotency", tenant, key];

export const isPlainDigest = (stored: string): boolean => /^[0-9a-f]{64}$/.test(stored);

export const sealedDigest = (vault: Vault, digest: string, tenant: string, key: string): string =>
  vault.writer ? vault.seal(digest, placeOf(tenant, key)).sealed : digest;

export const openedDigest = (vault: Vault, stored: string, tenant: string, key: string): unknown =>
  isPlainDigest(stored) ? stored : vault.open({ sealed: stored }, placeOf(tenant, key));
