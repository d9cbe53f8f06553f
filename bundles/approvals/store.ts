/** Reads and writes approvals in a cluster. */

import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../../kubernetes/client/client";
import { isNotFound } from "../../kubernetes/client/apiError";
import { UnknownKindError } from "../../kubernetes/client/discovery";
import { whoami } from "../permissions/reviews";
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
import { isGuarded, tooOld } from "./guard";

/**
 * The cluster has no approvals. The API server also responds with "not found" while the kind is being added or removed.
 */
export const isUnknown = (error: unknown): boolean => error instanceof UnknownKindError || isNotFound(error);

/** Returns all decisions in a cluster, oldest first; empty if the cluster has no approvals. */
export async function allApprovals(client: Client): Promise<Approval[]> {
  try {
    return inTime(await client.list({ apiVersion: API_VERSION, kind: KIND }));
  } catch (error) {
    if (isUnknown(error)) return [];
    throw error;
  }
}

/** Returns the decisions about one bundle, oldest first. */
export const findApprovals = async (client: Client, bundle: Instance): Promise<Approval[]> =>
  (await allApprovals(client)).filter((approval) => sameInstance(approval.bundle, bundle));

/**
 * Stores a decision in the name of the client's user. Throws an error for which {@link isUnknown} holds if the cluster
 * has no approvals.
 */
export async function writeApproval(client: Client, approval: Omit<Approval, "by" | "when">): Promise<Approval> {
  const by = await whoami(client);
  const made = await client.apply(toObject({ ...approval, by }, new Date()));
  return fromObject(made) as Approval;
}

const PATIENCE_MS = 30_000;
const PAUSE_MS = 100;

/** Installs approvals in a cluster, or restores changed objects. Throws {@link TooOld}. */
export async function installApprovals(client: Client): Promise<void> {
  // The policy comes first, so that no decision is ever stored unprotected.
  try {
    for (const object of [POLICY, POLICY_BINDING]) await client.apply(object);
  } catch (error) {
    throw tooOld(error);
  }
  const { apiVersion, kind, metadata } = DEFINITION;
  const end = Date.now() + PATIENCE_MS;
  let applied = "";
  for (;;) {
    const live = await client.get({ apiVersion, kind, name: metadata.name });
    // Wait until an object that is being deleted is gone: anything applied to it would be lost.
    if (live?.metadata.deletionTimestamp === undefined && (!live || live.metadata.uid !== applied)) {
      applied = (await client.apply(DEFINITION)).metadata.uid ?? "";
    } else if (live?.metadata.deletionTimestamp === undefined && (await isServed(client)) && (await isKept(client)))
      return;
    if (Date.now() > end)
      throw new Error(`${kind} ${metadata.name} is not served and guarded after ${PATIENCE_MS / 1000} seconds`);
    await sleep(PAUSE_MS);
  }
}

/** The policy takes effect with a delay. */
const isKept = async (client: Client): Promise<boolean> =>
  (await isGuarded(client, { name: "any", namespace: "any" })) !== false;

async function isServed(client: Client): Promise<boolean> {
  try {
    await client.list({ apiVersion: API_VERSION, kind: KIND });
    return true;
  } catch (error) {
    if (isUnknown(error)) return false;
    throw error;
  }
}
