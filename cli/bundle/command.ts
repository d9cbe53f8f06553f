import type { Command } from "commander";
import { NEWEST_KUBERNETES } from "../../bundles/format/newest";
import type { Context } from "../context";
import { actions } from "../options/action";
import { bundleClusterCommands } from "./clusterCommands";
import { FORMAT, VALUES } from "./options";
import { group } from "../options/group";
import { filled, kubeVersion, label, repeated } from "../options/parse";

/** `stackyard bundle …`. */
export function bundleCommand(context: Context): Command {
  const run = actions(context);
  const bundle = group("bundle", "bundles of Kubernetes manifests");
  const command = (name: string, description: string): Command =>
    bundle
      .command(name)
      .description(description)
      .option("--directory <path>", "folder of the source that is the bundle's root", filled)
      .option("--plain-http", "use HTTP for registries; default: only for those on this machine")
      .option(
        "--ca-file <file>",
        "additional certificate authorities to trust (PEM), for sources and registries",
        filled,
      )
      .option("--insecure-skip-tls-verify", "skip TLS verification (insecure), for sources and registries")
      .option("--name <name>", "name of the release, for formats that use it; default: bundle", filled)
      .option("-n, --namespace <name>", "namespace of objects that name none; default: default", label)
      .option("--format <name>", FORMAT, filled)
      .option("--values <file>", VALUES, repeated)
      .option(
        "--kube-version <version>",
        `Kubernetes version for charts and operators without a cluster; default: ${NEWEST_KUBERNETES}`,
        kubeVersion,
      )
      .option(
        "--api-versions <version>",
        "additional API versions of the cluster, for charts; may be repeated",
        repeated,
      );
  const reading = (name: string, description: string): Command =>
    command(name, description)
      .argument("[source...]", "where its content is: a folder, an archive, a URL; several are merged")
      .option("-f, --file <path>", "a file that describes sources", filled);
  reading("inspect", "show a bundle's digest, its objects in apply order, and the rights that it requests")
    .option("--effects", "only what it requests, without its objects")
    .option("--json", "as JSON")
    .action(run(async () => (await import("./inspect.js")).inspect));
  reading("verify", "check that a bundle is valid, and that it is the expected one")
    .option("--digest <sha256:…>", "required digest of the content", filled)
    .option("--kubeconfig <file>", "check CRDs and rights against this cluster", filled)
    .option("--context <name>", "context of the kubeconfig; default: its current one", filled)
    .option("--against-stack <name>", "check CRDs and rights against this platform's cluster", filled)
    .option(
      "--as <user>",
      "user who will apply it; system:serviceaccount:<namespace>:<name> for a ServiceAccount",
      filled,
    )
    .option("--allow <check...>", "checks of CRDs to skip, such as fieldRemoved")
    .action(run(async () => (await import("./verify.js")).verify));
  reading("render", "print the objects of a bundle in apply order, as kubectl accepts them")
    .option("--kubeconfig <file>", "use the version and kinds of this cluster", filled)
    .option("--context <name>", "context of the kubeconfig; default: its current one", filled)
    .option("--against-stack <name>", "use the version and kinds of this platform's cluster", filled)
    .option("--json", "as one List in JSON")
    .action(run(async () => (await import("./render.js")).render));
  reading("build", "check a bundle and write it as a reproducible archive")
    .option("-o, --output <file>", "the archive; default: the folder's name and .tar.gz, here", filled)
    .action(run(async () => (await import("./build.js")).buildBundle));
  command("push", "check a bundle and push it to a registry as an image; print its name with its digest")
    .argument("<source>", "where its content is: a folder, an archive, a URL")
    .argument("<image>", "[registry/]path[:tag][@sha256:…]; with a digest it must have that one", filled)
    .action(run(async () => (await import("./push.js")).push));
  bundleClusterCommands(context, bundle);
  return bundle;
}
