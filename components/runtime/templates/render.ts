import * as pulumi from "@pulumi/pulumi";
import { chartFolder } from "../../../foundation/chartFolder";
import type { DatabaseAccess } from "../databaseAccess";
import type { HelperFile, Template } from "../template";
import { shareDefinitions, originOf, type SharedTemplate } from "./share";
import { lex, type Token } from "./lexer";

/** Go's error about a text that was passed to `tpl`: `template: gotpl:<line>:<column>: <reason>`. */
const IN_TEMPLATE = /template: gotpl:(\d+)(?::\d+)?: /g;
/** The chart's file in the error; there is one per template key. */
const KEY = /runtime\/templates\/([a-z_]+)\.yaml/;

/**
 * Converts an error of Helm about a template to `<file>:<line>: <reason>`. Helm adds the chart's call stack and the
 * whole text of the template.
 */
export function explainRenderError(message: string, templates: readonly SharedTemplate[]): string {
  const key = KEY.exec(message)?.[1];
  const template = templates.find((one) => one.key === key);
  const file = template?.file ?? `files/${key ?? "unknown"}.yaml`;

  const failed = /execution error at \([^)]*\): ([\s\S]*)$/.exec(message)?.[1];
  // The chart's own checks name the file; `fail` or `required` in a template does not.
  if (failed !== undefined) return failed.startsWith(`${file}:`) ? failed : `${file}: the template says: ${failed}`;

  const inside = [...message.matchAll(IN_TEMPLATE)].at(-1);
  if (key !== undefined && inside !== undefined) {
    const reason = message.slice(inside.index + inside[0].length);
    const line = Number(inside[1]);
    const place = template === undefined ? { file, line } : originOf(template, line);
    return `${place.file}:${place.line}: ${plainReason(reason)}`;
  }
  const where = /failed to (?:create chart from template|generate YAML for specified Helm chart): /g;
  const last = [...message.matchAll(where)].at(-1);
  const reason = last === undefined ? message : message.slice(last.index + last[0].length);
  return `The runtime's templates cannot be rendered: ${reason}`;
}

/** Converts `executing "gotpl" at <.X | f>: error calling f: why` to `why (at {{ .X | f }})`. */
function plainReason(reason: string): string {
  const executing = /^executing "[^"]*" at <([\s\S]*?)>: (?:error calling \w+: )?([\s\S]*)$/.exec(reason);
  if (executing === null) return reason.trim();
  return `${executing[2]?.trim()} (at {{ ${executing[1]} }})`;
}

/** Values of the chart `charts/runtime` except for the templates; its `values.yaml` documents each of them. */
export interface ChartValues {
  readonly provisionId: string;
  readonly image: string;
  readonly imageTag: string;
  readonly host: string;
  readonly audienceUrl: string;
  readonly slots: number;
  readonly cpu: number;
  readonly memoryGb: number;
  readonly storageBytes: number;
  readonly dataDir: string;
  readonly environment: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly ping: string;
  readonly hibernated: boolean;
  readonly clickhouse?: ClickHouseValues;
  /** Prefix of the objects' names. Default: runtime. */
  readonly prefix?: "runtime" | "clickhouse";
}

/** Address of the database. The Secret contains its password. */
export type ClickHouseValues = Omit<DatabaseAccess, "password"> & { readonly secret: string };

/** Templates of a provisioner. */
interface TemplateSet {
  /** Empty: the built-in templates. */
  readonly templates: readonly Template[];
  readonly helpers?: readonly HelperFile[];
}

/** A complete Kubernetes object. */
export type Manifest = Record<string, unknown>;

/**
 * Replaces each call of `sanitizeLabel`, which Helm's engine lacks, with a call of the chart's named template of that
 * name. Works for direct calls and in pipelines, since both pass the value as the last argument. Line numbers do not
 * change.
 */
export function rewriteFunctions(text: string): string {
  const calls: Token[] = [];
  for (const part of lex(text).parts) {
    if (part.kind !== "action") continue;
    calls.push(...part.tokens.filter(({ kind, text }) => kind === "word" && text === "sanitizeLabel"));
  }
  let rewritten = "";
  let from = 0;
  for (const { start, end } of calls) {
    rewritten += `${text.slice(from, start)}include "sanitizeLabel"`;
    from = end;
  }
  return rewritten + text.slice(from);
}

/**
 * Renders a runtime with the Go template engine in the Kubernetes provider. Needs no cluster. Throws a RunError with
 * the user's file and line.
 */
export async function renderRuntime(
  values: ChartValues,
  namespace: string,
  { templates, helpers = [] }: TemplateSet,
  options: pulumi.InvokeOptions,
): Promise<Manifest[]> {
  const shared = shareDefinitions(templates, helpers);
  const byKey = shared.map(({ key, file, text }) => [key, { file, text: rewriteFunctions(text) }] as const);
  const call = {
    path: chartFolder("runtime", __dirname),
    release_name: values.provisionId,
    namespace,
    values: { ...values, templates: Object.fromEntries(byKey) },
  };
  try {
    const answer = (await pulumi.runtime.invoke(
      "kubernetes:helm:template",
      { jsonOpts: JSON.stringify(call) },
      options,
    )) as { result: Manifest[] };
    return answer.result;
  } catch (error) {
    throw new pulumi.RunError(explainRenderError(error instanceof Error ? error.message : String(error), shared));
  }
}
