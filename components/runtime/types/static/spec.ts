import * as z from "zod";

/** A provisioner of type static: a pool of existing runtimes. */
export interface StaticProvisioner {
  readonly type: "static";
  /** Pool in the ledger: `<platform stack>/<provisioner>`. */
  readonly pool: string;
}

export const staticSpec = z.object({ type: z.literal("static"), pool: z.string() });
