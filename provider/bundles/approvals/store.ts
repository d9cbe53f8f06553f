/** Reads and writes approvals in a cluster. */

import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../../kubernetes/client";
import { isNotFound } from "../../kubernetes/apiError";
import { UnknownKindError } from "../../kubernetes/discovery";
import type { KubeObject } from "../../kubernetes/objects";
import { whoami } from "../permissions/ask";
import {
  API_VERSION,
  fromObject,
  inTime,
  KIND,
  sameInstance,
  toObject,
  type Approval,
  type Instance,
} from "./approval";
import { DEFINITION, POLICY, POLICY_BINDING } from "./definition";

/** All decisions of a cluster, oldest first; none where it does not know any. */
export async function allApprovals(client: Client): Promise<Approval[]> {
  try {
    return inTime(await client.list({ apiVersion: API_VERSION, kind: KIND }));
  } catch (error) {
    // The second: the kind went between two questions.
    if (error instanceof UnknownKindError || isNotFound(error)) return [];
    throw error;
  }
}

/** The decisions about one bundle, oldest first. */
export const findApprovals = async (client: Client, bundle: Instance): Promise<Approval[]> =>
  (await allApprovals(client)).filter((approval) => sameInstance(approval.bundle, bundle));

/** Adds a decision in the name of the client's identity. Throws an UnknownKindError where approvals are not installed. */
export async function writeApproval(client: Client, approval: Omit<Approval, "by" | "when">): Promise<Approval> {
  const by = await whoami(client);
  const made = await client.apply(toObject({ ...approval, by }, new Date()));
  return fromObject(made) as Approval;
}

const PATIENCE_MS = 30_000;
const PAUSE_MS = 100;

/** Makes approvals known to a cluster. What is there already is brought to what it should be. */
export async function installApprovals(client: Client): Promise<void> {
  // Before the kind is there, so that nothing of it is ever made unguarded.
  for (const object of [POLICY, POLICY_BINDING, DEFINITION]) await client.apply(object);
  await until(async () => {
    try {
      await client.list({ apiVersion: API_VERSION, kind: KIND });
      return true;
    } catch (error) {
      if (error instanceof UnknownKindError || isNotFound(error)) return false;
      throw error;
    }
  }, DEFINITION);
}

async function until(ready: () => Promise<boolean>, { kind, metadata }: KubeObject): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await ready())) {
    if (Date.now() > end) throw new Error(`${kind} ${metadata.name} is not served after ${PATIENCE_MS / 1000} seconds`);
    await sleep(PAUSE_MS);
  }
}
