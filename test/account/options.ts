/** Options of the account test. */

import { randomBytes } from "node:crypto";
import path from "node:path";
import { parseArgs } from "node:util";
import { UsageError } from "../../foundation/errors";
import { nearest } from "../../foundation/text/nearest";

export interface AccountOptions {
  readonly name: string;
  readonly account: string;
  readonly region: string;
  readonly repository: string;
  readonly folder: string;
  readonly kubernetesVersion: string;
  /** Range from which the API servers are reached. */
  readonly publicCidr: string;
  /** Pull request that gets the comment. Default: none. */
  readonly pullRequest?: number;
  /** Names of the steps to run. */
  readonly steps: readonly string[];
  /** Whether the command names them: then they run although they are done. */
  readonly isChosen: boolean;
  /** After so many minutes the run stops and cleans up. */
  readonly limitMinutes: number;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly cleanUp: boolean;
}

export const USAGE = `Runs delivery and EKS once on a real AWS account: bootstrap, pull request, plan, approval, deployment, drift,
upgrade, rollback, import, destroy, leftovers. It creates clusters, which cost money, and deletes them.

  npm run test:account -- --account ID --region REGION --repository OWNER/NAME [options]

  --account ID            the account; another one is refused
  --region REGION         the region
  --repository OWNER/NAME GitHub repository that the roles trust
  --name NAME             beginning of all names, at most 20 of a-z 0-9 - (default: at-, and six random characters)
  --folder FOLDER         where the run is recorded (default: .account-test/NAME)
  --version MINOR         Kubernetes version to begin with; the upgrade is to the next one (default: 1.35)
  --public-cidr CIDR      from where the API servers are reached (default: the address of this machine)
  --pull-request NUMBER   comment on this pull request of the repository, with GITHUB_TOKEN
  --dry-run               print steps, times and costs, and create nothing
  --only STEPS            only these steps, separated by commas
  --from STEP             this step and the ones after it
  --limit MINUTES         stop and clean up after this time (default: 1.5 times that of the steps)
  --clean-up              delete what the run of the folder has created, and do nothing else
  -y, --yes               ask nothing
  -h, --help              print this help

With --folder alone, a run that was interrupted continues. Credentials are those that the AWS SDK finds; they need the
rights of an administrator. Pulumi, kubectl and git have to be on PATH.`;

const PATTERNS = {
  account: [/^\d{12}$/, "the id of an account, of 12 digits"],
  region: [/^[a-z]{2}(-[a-z]+)+-\d$/, "a region, such as eu-central-1"],
  repository: [/^[A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9._-]+$/, "owner/name, such as acme/platform"],
  // With its suffixes, it is part of the names of a bucket and of roles.
  name: [/^[a-z]([a-z0-9-]{0,18}[a-z0-9])?$/, "at most 20 of a-z 0-9 -, a letter first and no - last"],
  version: [/^1\.\d{2}$/, "a minor version, such as 1.35"],
  "public-cidr": [/^\d{1,3}(\.\d{1,3}){3}\/\d{1,2}$/, "a CIDR range, such as 203.0.113.7/32"],
  "pull-request": [/^[1-9]\d*$/, "the number of a pull request"],
  limit: [/^\d+(\.\d+)?$/, "a number of minutes"],
} as const;

/** What a run keeps: the next command in its folder need not say it, and can't say something else. */
const KEPT = ["name", "account", "region", "repository", "version", "public-cidr", "pull-request"];

type Texts = Readonly<Record<string, string>>;

interface GivenOptions {
  readonly options: Omit<AccountOptions, "publicCidr">;
  readonly kept: Texts;
}

/** Undefined if help is asked for. `steps`: all there are. `keptIn`: what the run of a folder keeps, if there is one. */
export function readOptions(
  args: readonly string[],
  steps: readonly { readonly name: string; readonly minutes: number }[],
  keptIn: (folder: string) => Texts | undefined,
): GivenOptions | undefined {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  const given = parsed(args, {
    ...{ account: text, region: text, repository: text, name: text, folder: text, version: text },
    ...{ "public-cidr": text, "pull-request": text, only: text, from: text, limit: text },
    ...{ "dry-run": flag, "clean-up": flag, yes: { ...flag, short: "y" }, help: { ...flag, short: "h" } },
  });
  if (given["help"] === true) return undefined;
  const asked = given as Texts;
  const name = asked["name"] ?? `at-${randomBytes(3).toString("hex")}`;
  const folder = path.resolve(asked["folder"] ?? path.join(".account-test", name));
  const before = keptIn(folder);
  for (const [key, value] of Object.entries(before ?? {})) {
    if (asked[key] !== undefined && asked[key] !== value)
      throw new UsageError(
        `--${key}: found ${asked[key]}; expected ${value}, of the run in ${folder}, or another --folder`,
      );
  }
  const all = { version: "1.35", name, ...asked, ...before } as Texts;
  const textOf = (key: string): string | undefined => all[key];
  for (const [key, [pattern, expected]] of Object.entries(PATTERNS)) {
    const found = textOf(key);
    const isRequired = ["account", "region", "repository"].includes(key);
    if (found === undefined && isRequired) throw new UsageError(`found no --${key}; expected ${expected}`);
    if (found !== undefined && !pattern.test(found))
      throw new UsageError(`--${key}: found ${JSON.stringify(found)}; expected ${expected}`);
  }
  const chosen = chosenSteps(textOf("only"), textOf("from"), steps);
  const minutes = steps.reduce((sum, step) => sum + (chosen.includes(step.name) ? step.minutes : 0), 0);
  const number = textOf("pull-request");
  const options = {
    ...{ name: all["name"]!, account: all["account"]!, region: all["region"]!, repository: all["repository"]! },
    ...{ folder, kubernetesVersion: all["version"]! },
    ...(number !== undefined && { pullRequest: Number(number) }),
    steps: chosen,
    limitMinutes: Number(textOf("limit") ?? Math.ceil(minutes * 1.5)),
    isChosen: textOf("only") !== undefined || textOf("from") !== undefined,
    ...{ yes: given["yes"] === true, dryRun: given["dry-run"] === true, cleanUp: given["clean-up"] === true },
  };
  return {
    options,
    kept: Object.fromEntries(KEPT.flatMap((key) => (all[key] === undefined ? [] : [[key, all[key]]]))),
  };
}

function parsed(args: readonly string[], options: NonNullable<Parameters<typeof parseArgs>[0]>["options"]) {
  try {
    return parseArgs({ args: [...args], ...(options && { options }) }).values as Record<string, unknown>;
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split(". ")[0]}; --help lists the options`);
  }
}

function chosenSteps(
  only: string | undefined,
  from: string | undefined,
  steps: readonly { readonly name: string }[],
): string[] {
  const names = steps.map(({ name }) => name);
  const known = (option: string, name: string): string => {
    if (names.includes(name)) return name;
    const near = nearest(name, names);
    throw new UsageError(
      `--${option}: found ${JSON.stringify(name)}; expected ${near === undefined ? names.join(", ") : near}`,
    );
  };
  if (only !== undefined && from !== undefined) throw new UsageError("found --only and --from; expected one of them");
  if (only !== undefined) {
    const wanted = only.split(",").map((name) => known("only", name.trim()));
    return names.filter((name) => wanted.includes(name));
  }
  return from === undefined ? names : names.slice(names.indexOf(known("from", from)));
}
