import type { Command } from "commander";
import { NEWEST_KUBERNETES } from "../../bundles/format/newest";
import type { Context } from "../context";
import { bundleClusterCommands } from "./clusterCommands";
import {
  FORMAT,
  VALUES,
  type BuildOptions,
  type InspectOptions,
  type PushOptions,
  type RenderOptions,
  type VerifyOptions,
} from "./options";
import { group } from "../program/group";
import { filled, kubeVersion, label, repeated } from "../program/parse";

/** `stackyard bundle …`. */
export function bundleCommand(context: Context): Command {
  const bundle = group("bundle", "bundles of Kubernetes manifests");
  const command = (name: string, description: string): Command =>
    bundle
      .command(name)
      .description(description)
      .option("--directory <path>", "folder in the source that is the bundle's root", filled)
      .option("--plain-http", "speak http with registries; default: only with those on this machine")
      .option(
        "--ca-file <file>",
        "trust these authorities besides the usual ones (PEM), for sources and registries",
        filled,
      )
      .option("--insecure-skip-tls-verify", "believe whoever answers, for sources and registries")
      .option("--name <name>", "name of the release, for formats that use it; default: bundle", filled)
      .option("-n, --namespace <name>", "where objects go that name no namespace; default: default", label)
      .option("--format <name>", FORMAT, filled)
      .option("--values <file>", VALUES, repeated)
      .option(
        "--kube-version <version>",
        `what charts and operators take for the cluster's version where none is asked; default: ${NEWEST_KUBERNETES}`,
        kubeVersion,
      )
      .option("--api-versions <version>", "what charts take the cluster to serve besides; may be repeated", repeated);
  const reading = (name: string, description: string): Command =>
    command(name, description)
      .argument("[source...]", "where its content is: a folder, an archive, a URL; several are put together")
      .option("-f, --file <path>", "a file that describes sources", filled);
  reading("inspect", "show a bundle's digest, its objects in their order, and what it asks for")
    .option("--json", "as JSON")
    .action(async (sources: string[], options: InspectOptions) =>
      (await import("./inspect.js")).inspect(context, sources, options),
    );
  reading("verify", "check that a bundle is right, and that it is the expected one")
    .option("--digest <sha256:…>", "the digest that its content must have", filled)
    .option("--kubeconfig <file>", "check it against this cluster: its CRDs, and the rights to apply it", filled)
    .option("--context <name>", "context of the kubeconfig; default: its current one", filled)
    .option("--against-stack <name>", "check it against this platform's cluster", filled)
    .option(
      "--as <user>",
      "who is going to apply it; system:serviceaccount:<namespace>:<name> for a ServiceAccount",
      filled,
    )
    .option("--allow <check...>", "checks of CRDs to pass over, such as fieldRemoved")
    .action(async (sources: string[], options: VerifyOptions) =>
      (await import("./verify.js")).verify(context, sources, options),
    );
  reading("render", "print the objects of a bundle in their order, as kubectl takes them")
    .option("--kubeconfig <file>", "for this cluster: its version, and what it serves", filled)
    .option("--context <name>", "context of the kubeconfig; default: its current one", filled)
    .option("--against-stack <name>", "for this platform's cluster", filled)
    .option("--json", "as one List in JSON")
    .action(async (sources: string[], options: RenderOptions) =>
      (await import("./render.js")).render(context, sources, options),
    );
  reading("build", "check a bundle and write it as an archive, the same bytes each time")
    .option("-o, --output <file>", "the archive; default: the folder's name and .tar.gz, here", filled)
    .action(async (sources: string[], options: BuildOptions) =>
      (await import("./build.js")).build(context, sources, options),
    );
  command("push", "check a bundle and bring it into a registry as an image; print its name with its digest")
    .argument("<source>", "where its content is: a folder, an archive, a URL")
    .argument("<image>", "[registry/]path[:tag][@sha256:…]; with a digest it must have that one", filled)
    .action(async (source: string, image: string, options: PushOptions) =>
      (await import("./push.js")).push(context, source, image, options),
    );
  bundleClusterCommands(context, bundle);
  return bundle;
}
