import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import * as path from "node:path";
import { load } from "js-yaml";
import { UsageError } from "../../foundation/errors";
import { isObject, type Json } from "../../foundation/json/isObject";
import { chooseContext, KubeconfigFault } from "../../foundation/kubeconfig";
import { holdsSecret } from "../../foundation/net/givenAddress";
import { isDeploymentId } from "../../engine/stack/names";
import { FEATURES_TO_CHOOSE, type ChosenCluster, type Choices, type FeatureName } from "./choices";
import { PACKAGE } from "./files";
import type { NewOptions } from "./options";

/** Asks a question. Empty for its default. */
type Ask = (question: string) => Promise<string>;

const STATE = "file://~";
const PASSPHRASE = "passphrase";
const NAMES = Object.keys(FEATURES_TO_CHOOSE).join(", ");

/** The choices by options, and by at most five questions. Without `ask`, what has a default is not asked. */
export async function chooseParts(options: NewOptions, ask: Ask | undefined): Promise<Choices> {
  const { stack } = options;
  if (!isDeploymentId(stack)) throw fault("stack", stack, "a name of A-Z a-z 0-9 . _ -");
  const answer = async (given: string | undefined, question: string, usual: string): Promise<string> =>
    given ?? ((await ask?.(`${question} [${usual}]:`))?.trim() || usual);
  const cluster = await chooseCluster(options, ask);
  const features = await answer(options.features, `Features (${NAMES}, or none)`, "ray");
  const state = await answer(options.state, "State backend (URL, or env for PULUMI_BACKEND_URL)", STATE);
  const secrets = await answer(options.secrets, "Secrets (passphrase, or the URL of a key)", PASSPHRASE);
  return {
    ...{ stack, cluster, packageSource: sourceOf(options.package), features: featuresIn(features, stack) },
    ...(state !== "env" && { state: url("state", state, /^[a-z][a-z0-9]*:\/\/\S/, "a URL, such as s3://acme-state") }),
    ...(secrets !== PASSPHRASE && { secretsProvider: url("secrets", secrets, KEY, "passphrase, or the URL of a key") }),
  };
}

/** A file is named by its whole path, because the repository may be anywhere. */
const sourceOf = (given = PACKAGE): string => (existsSync(given) ? `file:${path.resolve(given)}` : given);

const KEY = /^(awskms|gcpkms|azurekeyvault|hashivault):\/\/\S|^default$/;

const fault = (option: string, found: string, expected: string): UsageError =>
  new UsageError(`--${option}: found ${JSON.stringify(found)}; expected ${expected}`);

function url(option: string, text: string, pattern: RegExp, expected: string): string {
  if (holdsSecret(text)) {
    throw new UsageError(
      `--${option}: found a user or a password in the URL; expected env, with it in PULUMI_BACKEND_URL`,
    );
  }
  if (!pattern.test(text)) throw fault(option, text, expected);
  return text;
}

function featuresIn(text: string, stack: string): FeatureName[] {
  const names = text === "none" ? [] : [...new Set(text.split(",").map((name) => name.trim()))];
  const isKnown = (name: string): name is FeatureName => Object.hasOwn(FEATURES_TO_CHOOSE, name);
  const unknown = names.find((name) => !isKnown(name));
  if (unknown !== undefined) throw fault("features", unknown, `some of ${NAMES}, or none`);
  if (names.includes("jupyterhub") && !/^dev(-|$)/.test(stack)) {
    throw fault("features", "jupyterhub", "a stack dev or dev-…, because it has no login yet; add it with one later");
  }
  return names.filter(isKnown);
}

async function chooseCluster(options: NewOptions, ask: Ask | undefined): Promise<ChosenCluster> {
  const { context, eks, region } = options;
  if (context !== undefined && eks !== undefined) throw new UsageError("--context and --eks exclude each other");
  if (eks !== undefined) return onEks(eks, region ?? "");
  const file = options.kubeconfig ?? (process.env["KUBECONFIG"]?.split(path.delimiter)[0] || "~/.kube/config");
  const { names, current, text } = readContexts(file);
  if (context !== undefined) return existing(file, text, context);
  if (ask === undefined)
    throw new UsageError("found no cluster; expected --context NAME, or --eks NAME --region REGION");
  const usual = current ?? "eks";
  const chosen = (await ask(`Cluster (${[...names, "eks"].join(", ")}) [${usual}]:`)).trim() || usual;
  if (chosen !== "eks") return existing(file, text, chosen);
  const [name = "", place = ""] = (await ask("Name and region of the cluster on EKS, as acme eu-central-1:")).split(
    /\s+/,
  );
  return onEks(name, place);
}

function onEks(name: string, region: string): ChosenCluster {
  if (!/^[A-Za-z][A-Za-z0-9-]{0,99}$/.test(name)) throw fault("eks", name, "a name of A-Z a-z 0-9 -, a letter first");
  if (!/^[a-z]{2}(-[a-z]+)+-\d$/.test(region)) throw fault("region", region, "a region, such as eu-central-1");
  return { type: "eks", name, region };
}

/** The path is absolute or below the home folder, because the repository may be anywhere. */
function existing(file: string, text: string | undefined, context: string): ChosenCluster {
  const whole = absolute(file);
  if (text === undefined) throw fault("kubeconfig", file, "a kubeconfig file that can be read");
  try {
    chooseContext(text, context);
  } catch (error) {
    throw error instanceof KubeconfigFault ? new UsageError(`${file}: ${error.message}`) : error;
  }
  const home = `${homedir()}/`;
  const kubeconfig = whole.startsWith(home) ? `~/${whole.slice(home.length)}` : whole;
  return { type: "existing", kubeconfig, context };
}

const absolute = (file: string): string => path.resolve(file.replace(/^~(?=\/)/, homedir()));

interface Contexts {
  readonly names: readonly string[];
  readonly current?: string;
  readonly text?: string;
}

/** The contexts of a kubeconfig; none if it can't be read. */
function readContexts(file: string): Contexts {
  let text: string | undefined;
  let whole: unknown;
  try {
    text = readFileSync(absolute(file), "utf8");
    whole = load(text);
  } catch {
    // A cluster on EKS needs none. What is invalid is reported without its content when a context is chosen.
  }
  const { contexts, "current-context": current }: Json = isObject(whole) ? whole : {};
  const names = Array.isArray(contexts)
    ? contexts.flatMap((one: unknown) => (isObject(one) && typeof one["name"] === "string" ? [one["name"]] : []))
    : [];
  return { names, ...(text !== undefined && { text }), ...(typeof current === "string" && { current }) };
}
