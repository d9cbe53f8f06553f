import * as z from "zod";

export const staticSpec = z.object({
  type: z.literal("static"),
  /** Pool in the ledger: `<platform stack>/<provisioner>`. */
  pool: z.string(),
});

/** A provisioner of type static: a pool of existing runtimes. */
export type StaticProvisioner = Readonly<z.output<typeof staticSpec>>;
