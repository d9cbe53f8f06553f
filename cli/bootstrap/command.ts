import type { Command } from "commander";
import { stringify } from "yaml";
import type { ReaderOptions } from "./kubernetes";
import type { BootstrapOptions } from "./template";
import { READERS_GROUP } from "../../components/cluster/onEks/eksConfig";
import type { Context } from "../context";
import { UsageError } from "../../foundation/errors";
import { group } from "../options/group";
import { filled } from "../options/parse";

interface Flags extends Omit<BootstrapOptions, "existingTrust" | "deploy" | "preview"> {
  readonly deploy: string;
  readonly preview: string;
  readonly existingTrust?: boolean;
}

const REPOSITORY = /^[A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9._-]+$/;
/** Becomes part of the names of a bucket and of roles. */
const NAME = /^[a-z0-9]([a-z0-9-]{0,18}[a-z0-9])?$/;
const PREFIX = /^[A-Za-z0-9][A-Za-z0-9_-]{1,40}$/;
/** CloudFormation parses YAML 1.1, and rejects aliases. */
const FOR_CLOUDFORMATION = { lineWidth: 0, version: "1.1", aliasDuplicateObjects: false } as const;
/** ARN for `roles.permissionsBoundary` of a cluster. */
const BOUNDARY = /^arn:aws[a-z-]*:iam::(\d{12}|aws):policy\/\S+$/;
const ENVIRONMENT = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;

/** `stackyard bootstrap …`. */
export function bootstrapCommand(context: Context): Command {
  const bootstrap = group("bootstrap", "what CI requires in a cloud account and in a cluster");
  bootstrap
    .command("aws")
    .description(
      "print a CloudFormation template: state bucket, KMS key, OIDC trust for GitHub Actions, preview and deploy roles",
    )
    .requiredOption("--repository <owner/name>", "GitHub repository; its jobs may assume the roles", filled)
    .option("--name <name>", "name of the bucket, key and roles", filled, "stackyard")
    .option("--clusters <prefix>", "prefix of the names of clusters, and so of their roles", filled, "stackyard-")
    .option("--deploy <environments>", "GitHub environments of the jobs that deploy", filled, "staging,prod")
    .option("--preview <environments>", "GitHub environments of the jobs that preview", filled, "preview,plan,drift")
    .option(
      "--permissions-boundary <arn>",
      "policy that bounds each role which a deployment creates: stackyard:cluster.roles.permissionsBoundary",
      filled,
    )
    .option("--existing-trust", "use the account's existing OIDC provider for GitHub")
    .action(async (flags: Flags) => {
      const { bootstrapTemplate } = await import("./template.js");
      context.print(stringify(bootstrapTemplate(checked(flags)), FOR_CLOUDFORMATION).trimEnd());
    });
  bootstrap
    .command("kubernetes")
    .description("print a ClusterRole that can read what previews of a stack ask of its cluster, without Secrets")
    .argument("<stack>", "stack that was updated at least once", filled)
    .option("--name <name>", "name of the ClusterRole and of its binding", filled, READERS_GROUP)
    .option("--group <group>", "group of users that may preview", filled, READERS_GROUP)
    .action(async (stack: string, options: ReaderOptions) =>
      (await import("./kubernetes.js")).printReader(context, stack, options),
    );
  return bootstrap;
}

function checked(flags: Flags): BootstrapOptions {
  const { repository, name, clusters, deploy, preview, existingTrust = false, permissionsBoundary } = flags;
  const expect = (flag: string, found: string, pattern: RegExp, expected: string): void => {
    if (!pattern.test(found)) throw new UsageError(`--${flag}: found ${JSON.stringify(found)}; expected ${expected}`);
  };
  expect("repository", repository, REPOSITORY, "owner/name, such as acme/platform");
  expect("name", name, NAME, "at most 20 of a-z 0-9 -, a letter or digit at both ends");
  expect("clusters", clusters, PREFIX, "2 to 41 of A-Z a-z 0-9 _ -, a letter or digit first");
  if (permissionsBoundary !== undefined) {
    expect("permissions-boundary", permissionsBoundary, BOUNDARY, "the ARN of a policy");
  }
  const environments = (flag: string, text: string): string[] => {
    const names = text.split(",").map((each) => each.trim());
    for (const each of names) expect(flag, each, ENVIRONMENT, "names of environments, separated by commas");
    return names;
  };
  const options = { deploy: environments("deploy", deploy), preview: environments("preview", preview) };
  const both = options.deploy.filter((each) => options.preview.includes(each));
  if (both.length > 0) {
    throw new UsageError(`--preview: found ${both.join(", ")}, which deploys; expected other environments`);
  }
  const bounded = permissionsBoundary === undefined ? {} : { permissionsBoundary };
  return { repository, name, clusters, ...options, existingTrust, ...bounded };
}
