/** What has to be true before a run creates anything. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Failure } from "../../foundation/errors";
import { KeptState } from "./aws/state";
import { stacksOf } from "./aws/stacks";
import type { AccountTest } from "./step";
import { nextMinor } from "./versions";

const run = promisify(execFile);

/** Throws unless the credentials are of the account, as nothing of another one may be touched. */
export async function checkCaller(expected: string, account: AccountTest["account"]): Promise<void> {
  const { account: found, principal } = await account.caller();
  if (found !== expected)
    throw new Failure(
      `--account: found ${expected}, and the credentials are of ${found} (${principal}); nothing was created`,
    );
  if (principal.endsWith(":root"))
    throw new Failure(`found the root user of ${found}, who can't assume roles; sign in as a user or a role`);
}

/** Throws if a program is missing, a name of a new run is taken, or EKS lacks a version. */
export async function checkRun(test: AccountTest): Promise<void> {
  const { options, record, account } = test;
  for (const [program, flag] of [
    ["pulumi", "version"],
    ["kubectl", "--help"],
    ["git", "--version"],
  ] as const) {
    await run(program, [flag]).catch(() => {
      throw new Failure(`found no ${program} on PATH; install it`);
    });
  }
  if (options.pullRequest !== undefined && !process.env["GITHUB_TOKEN"])
    throw new Failure("found --pull-request without GITHUB_TOKEN; expected a token that may comment");
  await account.isExtended(nextMinor(options.kubernetesVersion));
  const taken = record.isNew ? await takenNames(test) : [];
  if (taken.length > 0)
    throw new Failure(`found ${taken.join(", ")}; expected none of them: take another --name. Nothing was created`);
}

async function takenNames(test: AccountTest): Promise<string[]> {
  const { names, account } = test;
  const [stacks, state] = [stacksOf(test), new KeptState(account.region)];
  const looks: [string, Promise<unknown>][] = [
    ...[names.bootstrap, names.network, names.former].map((one): [string, Promise<unknown>] => [
      `the stack ${one} of CloudFormation`,
      stacks.outputs(one),
    ]),
    ...names.roles.map((one): [string, Promise<unknown>] => [`the role ${one}`, account.hasRole(one)]),
    ...[names.cluster, names.imported].map((one): [string, Promise<unknown>] => [
      `the cluster ${one}`,
      account.clusterVersion(one),
    ]),
    [`the bucket ${names.bucket}`, state.hasBucket(names.bucket)],
    [`the key ${names.alias}`, state.keyOf(names.alias)],
  ];
  const found = await Promise.all(looks.map(async ([what, look]) => ((await look) ? [what] : [])));
  return found.flat();
}
