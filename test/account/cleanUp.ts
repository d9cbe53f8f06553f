/** Deletes what a run has created, and nothing else: what its record names. */

import { KeptState } from "./aws/state";
import { stacksOf } from "./aws/stacks";
import type { AccountTest } from "./step";

/** A Service with a load balancer, which keeps a cluster from being deleted. */
export const GUARDED = "account-test";

/** Deletes everything, however far the run came. */
export async function cleanUp(test: AccountTest): Promise<void> {
  await deleteGuarded(test);
  await destroyPlatforms(test);
  await deleteBootstrap(test);
}

export async function deleteGuarded({ record, commands }: AccountTest): Promise<void> {
  if (!record.isCreated(`service ${GUARDED}`)) return;
  // Waits until its load balancer is gone.
  await commands.kubectl(["delete", "service", GUARDED, "--namespace", "default", "--ignore-not-found"]);
  record.deleted(`service ${GUARDED}`);
}

/** Destroys both platforms, then the network of the imported cluster. */
export async function destroyPlatforms(test: AccountTest): Promise<void> {
  const { names, record, account, commands } = test;
  const stacks = stacksOf(test);
  const platforms = [
    { stack: names.imported, cluster: names.imported, as: "caller" },
    { stack: names.stack, cluster: names.cluster, as: "deploy" },
  ] as const;
  for (const { stack, cluster, as } of platforms) {
    if (!record.isCreated(`platform ${stack}`)) continue;
    await account.unprotect(cluster);
    await commands.pulumi(["cancel", "--stack", stack, "--yes"], { as });
    await commands.pulumi(["state", "unprotect", "--all", "--stack", stack, "--yes"], { as });
    await commands.pulumi(["destroy", "--stack", stack, "--yes", "--skip-preview"], { as });
    record.deleted(`platform ${stack}`, `cluster ${cluster}`);
  }
  // A cluster that was not taken over yet.
  if (record.isCreated(`cluster ${names.imported}`)) await account.deleteCluster(names.imported);
  for (const stack of [names.former, names.network]) {
    if (record.isCreated(`stack ${stack}`)) await stacks.delete(stack);
    record.deleted(`stack ${stack}`);
  }
  record.deleted(`cluster ${names.imported}`);
}

/** Deletes the bootstrap with what its stack keeps. AWS deletes the key after some days. */
export async function deleteBootstrap({ names, record, account }: AccountTest): Promise<void> {
  const state = new KeptState(account.region);
  if (!record.isCreated(`stack ${names.bootstrap}`)) return;
  // Found by its alias, which goes with the stack.
  const key = await state.keyOf(names.alias);
  await stacksOf({ account, record }).delete(names.bootstrap);
  await state.deleteBucket(names.bucket);
  if (key !== undefined) await state.deleteKey(key);
  const trust = "identity provider of GitHub Actions";
  const arn = record.isCreated(trust) ? await account.gitHubTrust() : undefined;
  if (arn !== undefined) await account.deleteTrust(arn);
  record.deleted(`stack ${names.bootstrap}`, `bucket ${names.bucket}`, trust);
}
