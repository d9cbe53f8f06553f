import type { Command } from "commander";
import type { ClusterOptions } from "../bundle/cluster";
import type { Context } from "../context";
import { group } from "./group";
import { filled } from "./parse";

export interface SourceOptions {
  readonly file?: string;
  readonly directory?: string;
}
export type InspectOptions = SourceOptions & { readonly json?: boolean };
export type VerifyOptions = SourceOptions &
  ClusterOptions & {
    readonly digest?: string;
    /** Names of checks of CRDs that are passed over. */
    readonly allow?: readonly string[];
  };

/** `stackyard bundle …`. */
export function bundleCommand(context: Context): Command {
  const bundle = group("bundle", "bundles of Kubernetes manifests");
  const command = (name: string, description: string): Command =>
    bundle
      .command(name)
      .description(description)
      .argument("[source...]", "where its content is: a folder, an archive, a URL; several are put together")
      .option("-f, --file <path>", "a file that describes sources", filled)
      .option("--directory <path>", "folder in the source that is the bundle's root", filled);
  command("inspect", "show a bundle's digest and its objects in their order")
    .option("--json", "as JSON")
    .action(async (sources: string[], options: InspectOptions) =>
      (await import("../bundle/inspect.js")).inspect(context, sources, options),
    );
  command("verify", "check that a bundle is right, and that it is the expected one")
    .option("--digest <sha256:…>", "the digest that its content must have", filled)
    .option("--kubeconfig <file>", "compare its CRDs with those of this cluster", filled)
    .option("--context <name>", "context of the kubeconfig; default: its current one", filled)
    .option("--against-stack <name>", "compare its CRDs with those of this platform's cluster", filled)
    .option("--allow <check...>", "checks of CRDs to pass over, such as fieldRemoved")
    .action(async (sources: string[], options: VerifyOptions) =>
      (await import("../bundle/verify.js")).verify(context, sources, options),
    );
  return bundle;
}
