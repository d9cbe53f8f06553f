/**
 * Names of the fields that hold a secret in stack config, bundle sources and jobs. All code that masks, encrypts or
 * separates values asks this list; a test compares it with the schemas.
 */
const SECRET: ReadonlySet<unknown> = new Set([
  "accessKeyId",
  "clientSecret",
  "databaseUrl",
  "dockerConfig",
  "encryptionKeys",
  "kubeconfig",
  "passphrase",
  "password",
  "privateKey",
  "secretAccessKey",
  "ssl_key_password",
  "stateBackend",
  "token",
  "webhookSecret",
]);

/** Fields of a source that are not secret, but usually come from a file. */
const LONG: ReadonlySet<unknown> = new Set(["certificateData", "knownHosts"]);

export const isSecretField = (name: unknown): boolean => SECRET.has(name);

/** Whether a field of a source accepts the name of a file or a variable. */
export const isGivenElsewhere = (name: unknown): boolean => SECRET.has(name) || LONG.has(name);
