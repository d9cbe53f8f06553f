import { isDeepStrictEqual } from "node:util";
import type { Pool } from "pg";
import { hideSecretValues } from "../../../engine/stack/secretValues";
import { isObject } from "../../../foundation/json/isObject";
import { eachRow } from "./eachRow";

type Details = Readonly<Record<string, unknown>>;

/** Details of what was requested as the audit trail keeps them: who asked for a secret is recorded, the secret is not. */
export const withoutSecrets = (details: Details): Details =>
  isObject(details["change"]) ? { ...details, change: hideSecretValues(details["change"]) } : details;

/** Removes the secrets that versions before this one recorded. Answers the number of entries. */
export const removeAudited = (pool: Pool): Promise<number> =>
  eachRow<{ readonly details: Details }>(
    pool,
    { table: "audit", columns: "details", idType: "bigint" },
    async ({ id, details }) => {
      const hidden = withoutSecrets(details);
      if (isDeepStrictEqual(hidden, details)) return false;
      await pool.query("update audit set details = $2 where id = $1", [id, JSON.stringify(hidden)]);
      return true;
    },
  );
