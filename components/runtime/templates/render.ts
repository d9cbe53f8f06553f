import * as pulumi from "@pulumi/pulumi";
import { chartFolder } from "../../../foundation/chartFolder";
import type { DatabaseAccess } from "../databaseAccess";
import type { HelperFile, Template } from "../template";
import { explainRenderError } from "./renderError";
import { rewriteFunctions } from "./rewrite";
import { shareDefinitions } from "./share";

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
