import type { Database } from "./database";
import { SealError, type Sealed, type Vault } from "./sealing/vault";

const placeOf = (id: string): readonly string[] => ["encryption_key", id];

/**
 * Throws if the keys can't open all sealed values in the database; otherwise records the key that seals from now on. A
 * new key without the previous ones is not recorded, because every later start would then require it.
 */
export function checkKeys(database: Database, vault: Vault): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    const { writer } = vault;
    if (writer) {
      await transaction
        .insertInto("encryptionKey")
        .values({ id: writer.id, sealed: vault.seal(writer.id, placeOf(writer.id)) })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    const known = await transaction.selectFrom("encryptionKey").select(["id", "sealed"]).orderBy("id").execute();
    const faults = known.flatMap((each) => faultOf(vault, each));
    if (faults.length === 0) return;
    throw new SealError(
      `APP_ENCRYPTION_KEYS: ${faults.join("; ")}. Expected every key of before; nothing was changed in the database`,
    );
  });
}

function faultOf(vault: Vault, { id, sealed }: { readonly id: string; readonly sealed: Sealed }): readonly string[] {
  if (!vault.keys.some((key) => key.id === id)) return [`found no key ${id}, with which secrets are sealed`];
  try {
    vault.open(sealed, placeOf(id));
    return [];
  } catch {
    return [`found a key ${id} that is not the one with which secrets are sealed`];
  }
}

/** Forgets keys that no value is sealed with any more. Returns their ids. */
export async function forgetKeys(database: Database, vault: Vault): Promise<readonly string[]> {
  const gone = await database
    .deleteFrom("encryptionKey")
    .where("id", "!=", vault.writer?.id ?? "")
    .returning("id")
    .execute();
  return gone.map(({ id }) => id);
}
