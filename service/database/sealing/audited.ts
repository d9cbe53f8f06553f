import { isDeepStrictEqual } from "node:util";
import type { Pool } from "pg";
import { hideSecretValues } from "../../../engine/stack/secretValues";
import { isObject } from "../../../foundation/json/isObject";
import { eachRow } from "./eachRow";

type Details = Readonly<Record<string, unknown>>;

/** Returns the details of a request for the audit trail, without secret values. */
export const withoutSecrets = (details: Details): Details =>
  isObject(details["change"]) ? { ...details, change: hideSecretValues(details["change"]) } : details;

/** Removes secrets that earlier versions recorded. Returns the number of entries changed. */
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
