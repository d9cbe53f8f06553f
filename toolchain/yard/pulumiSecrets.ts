import { createCipheriv, createDecipheriv, pbkdf2Sync, randomBytes } from "node:crypto";

/*
 * Secrets of Pulumi's passphrase provider (format v1): an AES-256-GCM key derived from passphrase and salt, and per
 * secret `v1:<nonce>:<ciphertext>`. The salt comes with an encrypted word that verifies the passphrase.
 */

const ITERATIONS = 1_000_000;
const WORD = "pulumi";
const TAG_BYTES = 16;

/** `v1:<8 bytes>:v1:<nonce>:<encrypted word>`. */
const SALT = /v1:([A-Za-z0-9+/]{11}=):(v1:[A-Za-z0-9+/]{16}:[A-Za-z0-9+/]+=*)/;
const SECRET = /v1:([A-Za-z0-9+/]{16}):([A-Za-z0-9+/]+=*)/g;

/** Returns the first salt in a stack file or checkpoint. */
export function saltIn(text: string): string | undefined {
  return SALT.exec(text)?.[0];
}

/** Derives the key from passphrase and salt; undefined if they don't match. */
export function secretsKey(passphrase: string, salt: string): Buffer | undefined {
  const [, bytes, word] = SALT.exec(salt) ?? [];
  if (bytes === undefined || word === undefined) return undefined;
  const key = pbkdf2Sync(passphrase, Buffer.from(bytes, "base64"), ITERATIONS, 32, "sha256");
  return decrypt(key, word) === WORD ? key : undefined;
}

/** Decrypts a secret; undefined if it was encrypted with another key. */
export function decrypt(key: Buffer, secret: string): string | undefined {
  const [, nonce = "", content = ""] = secret.split(":");
  const bytes = Buffer.from(content, "base64");
  const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64"));
  try {
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString("utf8");
  } catch {
    return undefined; // The authentication tag does not match.
  }
}

/** Encrypts a secret. */
export function encrypt(key: Buffer, content: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const bytes = Buffer.concat([cipher.update(content, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `v1:${nonce.toString("base64")}:${bytes.toString("base64")}`;
}

/** Encrypts all secrets and the salt of a text again with another key. Throws if the old key can't decrypt a secret. */
export function reencrypted(text: string, from: Buffer, to: { readonly key: Buffer; readonly salt: string }): string {
  const parts = text.split(saltIn(text) ?? "\0");
  return parts
    .map((part) =>
      part.replace(SECRET, (secret) => {
        const content = decrypt(from, secret);
        if (content === undefined) throw new Error("it has a secret of another passphrase");
        return encrypt(to.key, content);
      }),
    )
    .join(to.salt);
}
