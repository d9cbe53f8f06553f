import * as z from "zod";
import { matching, strict } from "../../../foundation/schema/fields";
import { secret } from "../../../foundation/schema/secretValues";

/** Schemas of file paths and of the access to a cluster. */

export const file = (of: string) => matching(/^[^\n{}]*[^\s{}]$/, `the path of ${of}`);

const KUBECONFIG = "exactly one of path, content and inCluster";
export const kubeconfig = strict(KUBECONFIG, {
  path: file("a kubeconfig file")
    .optional()
    .describe("Path of the kubeconfig file, relative to the project folder. `~/` is the home folder."),
  // Stack files may have it in plain text, because not every kubeconfig holds credentials.
  content: secret(matching(/\S/, "the text of a kubeconfig"), { mayBePlain: () => true })
    .optional()
    .describe("The kubeconfig itself; a secret (`pulumi config set --secret --path …`)."),
  inCluster: z
    .literal(true, { error: "true" })
    .optional()
    .describe("`true`: use the service account of the pod that the program runs in."),
})
  .refine((access) => Object.keys(access).length === 1, { error: KUBECONFIG })
  .meta({ minProperties: 1, maxProperties: 1 });

export const context = matching(/\S/, "the name of a context")
  .optional()
  .describe("Context of the kubeconfig. Default: its current context.");

export type KubeconfigInput = z.output<typeof kubeconfig>;
