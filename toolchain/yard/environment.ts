import * as path from "node:path";
import type { Tools } from "../tools/ensure";
import type { Layout } from "./layout";

export interface EnvironmentParts {
  readonly root: string;
  readonly layout: Layout;
  readonly tools: Tools;
  /** The Node.js that runs this program, which is new enough. */
  readonly node: string;
  /**
   * True if tools could not be downloaded. Pulumi's plugins can't be downloaded then either, and each attempt would
   * cost seconds.
   */
  readonly offline: boolean;
}

/** Variables that would override ours. */
const UNSET = ["PULUMI_CONFIG_PASSPHRASE", "PULUMI_STACK", "PULUMI_VERSION", "KUBERNETES_MASTER"] as const;

/** The environment for working with a yard, without PATH: see `searchPath`. */
function variables({ root, layout, offline }: EnvironmentParts): Record<string, string> {
  return {
    KUBECONFIG: layout.kubeconfig,
    KUBECACHEDIR: layout.kubectlCache,
    PULUMI_HOME: layout.pulumiHome,
    PULUMI_BACKEND_URL: `file://${layout.state}`,
    PULUMI_CONFIG_PASSPHRASE_FILE: layout.passphrase,
    // The language host that we may have built ignores this option in Pulumi.yaml.
    PULUMI_NODEJS_TYPESCRIPT: "false",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    ...(offline ? { PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true" } : {}),
    NODE_COMPILE_CACHE: path.join(root, "node_modules", ".cache", "stackyard", "compiled"),
  };
}

/** Folders at the start of PATH: Node.js, the tools, our own command. */
function searchPath({ root, tools, node }: EnvironmentParts): string[] {
  return [path.dirname(node), ...tools.path, path.join(root, "cli", "bin")];
}

/** Folders at the end of PATH: replacements for programs that may be missing. */
function lastOnPath({ root }: EnvironmentParts): string[] {
  return [path.join(root, "cli", "aws", "bin")];
}

/** Returns the environment of a process that works with the yard: the given one with our variables added. */
export function environmentOf(parts: EnvironmentParts, base: NodeJS.ProcessEnv): Record<string, string> {
  const ours = searchPath(parts);
  const last = lastOnPath(parts);
  const known = [...ours, ...last, ...parts.tools.folders];
  const others = (base.PATH ?? "").split(path.delimiter).filter((folder) => folder !== "" && !known.includes(folder));
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    if (value !== undefined && !(UNSET as readonly string[]).includes(name)) result[name] = value;
  }
  return { ...result, ...variables(parts), PATH: [...ours, ...others, ...last].join(path.delimiter) };
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`;
}

/** The same as lines for a POSIX shell, for `eval "$(make -s env)"`. */
export function shellExports(parts: EnvironmentParts): string {
  const lines = Object.entries(variables(parts)).map(([name, value]) => `export ${name}=${quoted(value)}`);
  const folders = searchPath(parts).map(quoted).join(path.delimiter);
  const last = lastOnPath(parts).map(quoted).join(path.delimiter);
  return [
    `unset ${UNSET.join(" ")}`,
    ...lines,
    `export PATH=${folders}${path.delimiter}"$PATH"${path.delimiter}${last}`,
    "",
  ].join("\n");
}
