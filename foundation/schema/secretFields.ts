/**
 * Fields that hold a secret, by their names, wherever they stand: stack config, sources of bundles, jobs. Whatever masks
 * a value, encrypts it or keeps it apart asks here; a test compares this with the schemas.
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

/** Fields of a source that are no secret, but as long as a file. */
const LONG: ReadonlySet<unknown> = new Set(["certificateData", "knownHosts"]);

export const isSecretField = (name: unknown): boolean => SECRET.has(name);

/** Whether a field of a source may be given by naming a file or a variable. */
export const isGivenElsewhere = (name: unknown): boolean => SECRET.has(name) || LONG.has(name);
