import { createCipheriv, createDecipheriv, pbkdf2Sync, randomBytes } from "node:crypto";

/*
 * Secrets as Pulumi's passphrase provider keeps them (its format v1): a key of AES-256-GCM derived from passphrase and
 * salt, and per secret `v1:<nonce>:<ciphertext>`. A salt comes with an encrypted word by which a passphrase is checked.
 */

const ITERATIONS = 1_000_000;
const WORD = "pulumi";
const TAG_BYTES = 16;

/** `v1:<8 bytes>:v1:<nonce>:<encrypted word>`. */
const SALT = /v1:([A-Za-z0-9+/]{11}=):(v1:[A-Za-z0-9+/]{16}:[A-Za-z0-9+/]+=*)/;
const SECRET = /v1:([A-Za-z0-9+/]{16}):([A-Za-z0-9+/]+=*)/g;

/** The first salt in a stack file or in a checkpoint. */
export function saltIn(text: string): string | undefined {
  return SALT.exec(text)?.[0];
}

/** Key of a passphrase with a salt; undefined if they don't belong together. */
export function keyOf(passphrase: string, salt: string): Buffer | undefined {
  const [, bytes, word] = SALT.exec(salt) ?? [];
  if (bytes === undefined || word === undefined) return undefined;
  const key = pbkdf2Sync(passphrase, Buffer.from(bytes, "base64"), ITERATIONS, 32, "sha256");
  return decrypt(key, word) === WORD ? key : undefined;
}

/** What a secret holds; undefined if the key is another one's. */
export function decrypt(key: Buffer, secret: string): string | undefined {
  const [, nonce = "", content = ""] = secret.split(":");
  const bytes = Buffer.from(content, "base64");
  const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64"));
  try {
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString("utf8");
  } catch {
    return undefined; // Its tag does not fit.
  }
}

function encrypt(key: Buffer, content: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const bytes = Buffer.concat([cipher.update(content, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `v1:${nonce.toString("base64")}:${bytes.toString("base64")}`;
}

/** A text with all its secrets and its salt under another key. Throws if it has a secret that the old key does not open. */
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

/** A new salt for a passphrase. */
export function newSalt(passphrase: string): string {
  const bytes = randomBytes(8);
  const key = pbkdf2Sync(passphrase, bytes, ITERATIONS, 32, "sha256");
  return `v1:${bytes.toString("base64")}:${encrypt(key, WORD)}`;
}
