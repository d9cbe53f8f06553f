import { existsSync, readFileSync } from "node:fs";
import * as z from "zod";
import { messageOf } from "../../foundation/errors";
import { renderPath } from "../../foundation/schema/faults";
import { faultsOf, schemaWith } from "../../foundation/schema/issues";
import { readKubeconfig } from "../../kubernetes/access/kubeconfig";
import type { Field } from "./fields";

/** Path of a JSON file; the value is its content, checked against `schema`. */
export const jsonFile = <T>(schema: z.ZodType<T>, what: string): Field<T> =>
  z.string().transform((path, context): T => {
    const wrong = (found: string): never => {
      context.addIssue({ code: "custom", message: `the path of a JSON file with ${what}, but ${found}` });
      return z.NEVER;
    };
    let json: unknown;
    try {
      json = JSON.parse(readFileSync(path, "utf8"));
    } catch (error) {
      return wrong(error instanceof SyntaxError ? "it has no JSON" : `it can't be read: ${messageOf(error)}`);
    }
    const result = schema.safeParse(json);
    if (result.success) return result.data;
    const place = { root: { $: json }, schema: schemaWith(["$"], schema), secretKeys: new Set<string>() };
    const faults = faultsOf(result.error.issues, ["$"], place);
    return wrong(faults.map(({ path: at, message }) => `at ${renderPath(at)}: ${message}`).join(", "));
  });

/** Path of a kubeconfig. The file may be missing. */
export const kubeconfigFile = (): Field<string> =>
  z.string().superRefine((path, context) => {
    try {
      if (existsSync(path)) readKubeconfig(readFileSync(path, "utf8"));
    } catch (error) {
      context.addIssue({ code: "custom", message: `the path of a kubeconfig, but ${messageOf(error)}` });
    }
  });
