/** Installs and upgrades Kyma with its installer, and waits for the result. */

import { isReady } from "../../../kubernetes/reasons/pod";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../../../foundation/pulumi/resource";
import { until } from "../../../kubernetes/work/work";
import { UnreachableError } from "../../../kubernetes/client/apiError";
import type { Client } from "../../../kubernetes/client/client";
import { UnknownKindError } from "../../../kubernetes/client/discovery";
import { identity, listAt, refOf, type KubeObject, textAt } from "../../../kubernetes/objects/objects";
import type { KymaInputs } from "./inputs";
import { action, INSTALLATION, installationOf, NAMESPACE, OVERRIDES, overridesOf, pendingAction } from "./objects";
import type { Release } from "./release";

/** Interprets the status that Kyma's installer reports. Pure. */
type InstallProgress =
  | { readonly kind: "absent" }
  | { readonly kind: "idle" | "working" | "installed"; readonly description: string }
  /** `text` stays the same as long as the error does. */
  | { readonly kind: "error"; readonly description: string; readonly text: string };

const LINES = 3;

export function progressOf(installation: KubeObject | undefined): InstallProgress {
  if (!installation) return { kind: "absent" };
  const state = textAt(installation, "status", "state");
  const description = textAt(installation, "status", "description") ?? "";
  // Until the installer removes the label, the status is from the previous run.
  if (pendingAction(installation) === "install") return { kind: "working", description: "the installer begins" };
  if (state === "Installed") return { kind: "installed", description };
  if (state === "InProgress") return { kind: "working", description };
  if (state === "Error") return { kind: "error", description, text: errorText(installation, description) };
  return { kind: "idle", description };
}

function errorText(installation: KubeObject, description: string): string {
  const log = listAt(installation, "status", "errorLog").map((entry) => {
    const lines = (textAt(entry, "log") ?? "").trim().split("\n").slice(0, LINES).join(" ");
    const times = Number(entry["occurrences"] ?? 1);
    return `${textAt(entry, "component") ?? "a component"}: ${lines}${times > 1 ? ` (${times} times)` : ""}`;
  });
  return [description, ...log].filter((part) => part !== "").join("; ");
}

interface InstallJob {
  readonly context: Context;
  readonly client: Client;
  readonly inputs: KymaInputs;
  /** In milliseconds since 1970. */
  readonly deadline: number;
}

const POLL_MS = 1_000;
const TILLER_S = 600;
const INSTALLER = { apiVersion: "apps/v1", kind: "Deployment", namespace: NAMESPACE, name: "kyma-installer" };

/** Also undefined if the cluster does not have the kind yet. */
export async function readInstallation(client: Client): Promise<KubeObject | undefined> {
  try {
    return await client.get(INSTALLATION);
  } catch (error) {
    if (error instanceof UnknownKindError) return undefined;
    throw error;
  }
}

/**
 * Applies everything except the label that starts the installer. Does not disturb an installer that is already running.
 */
export async function prepare({ context, client, inputs, deadline }: InstallJob, release: Release): Promise<void> {
  const there = progressOf(await readInstallation(client));
  if (there.kind === "working") {
    context.log("info", "the installer is at work already; it is waited for, and not started twice");
    return;
  }
  context.log("status", "stage: StartingInstallation");
  await applyAll(client, release.tiller, { signal: context.signal, deadline });
  if (release.tiller.length > 0) await tillerReady(client, context.signal, deadline);
  // A running installer might start with incomplete objects.
  if (there.kind !== "absent") await client.remove(INSTALLER);
  await applyAll(client, release.installer, { signal: context.signal, deadline });
  const overrides = overridesOf(inputs);
  for (const one of overrides) await client.apply(one);
  await removeOthers(client, overrides);
  await client.apply(installationOf(release.installation, inputs));
  await client.merge(INSTALLATION, action("install"));
}

/** Waits until Kyma is installed. The installer retries, so only an error that stays the same for too long is final. */
export async function installed({ context, client, inputs, deadline }: InstallJob, pollMs = POLL_MS): Promise<void> {
  let error: { readonly text: string; readonly since: number } | undefined;
  for (;;) {
    const progress = await readInstallation(client).then(progressOf, (reason: unknown) => {
      if (!(reason instanceof UnreachableError)) throw reason;
      return { kind: "working", description: reason.message } as const;
    });
    if (progress.kind === "installed") return;
    const now = Date.now();
    if (progress.kind !== "error") error = undefined;
    else if (error?.text !== progress.text) error = { text: progress.text, since: now };
    const isFinal = error !== undefined && now - error.since > inputs.errorPatienceSeconds * 1000;
    if (isFinal) throw new Error(`Kyma ${inputs.version} can't be installed: ${error?.text}`);
    if (now > deadline) {
      const found = "description" in progress ? progress.description : "there is no Installation";
      throw new Error(`Kyma ${inputs.version} is not installed in time: ${error?.text ?? found}`);
    }
    const shown = "description" in progress ? progress.description : progress.kind;
    context.log("status", `stage: WaitingForInstallation (${error === undefined ? shown : `error: ${error.text}`})`);
    await sleep(pollMs, undefined, { signal: context.signal });
  }
}

interface Limits {
  readonly signal: AbortSignal;
  readonly deadline: number;
}

/** Applies objects, those that others need first: namespaces and CustomResourceDefinitions. */
async function applyAll(client: Client, objects: readonly KubeObject[], limits: Limits): Promise<void> {
  const isFirst = ({ kind }: KubeObject): boolean => kind === "Namespace" || kind === "CustomResourceDefinition";
  for (const one of objects.filter(isFirst)) await client.apply(one);
  for (const one of objects.filter(({ kind }) => kind === "CustomResourceDefinition")) {
    const { apiVersion, kind, metadata } = one;
    const established = async (): Promise<true | undefined> => {
      const found = await client.get({ apiVersion, kind, name: metadata.name });
      const conditions = listAt(found, "status", "conditions");
      return conditions.some(({ type, status }) => type === "Established" && status === "True") || undefined;
    };
    await until(limits, established, () => Promise.resolve(new Error(`${metadata.name} does not become established`)));
  }
  for (const one of objects.filter((each) => !isFirst(each))) await client.apply(one);
}

async function tillerReady(client: Client, signal: AbortSignal, deadline: number): Promise<void> {
  const limits = { signal, deadline: Math.min(deadline, Date.now() + TILLER_S * 1000) };
  const ready = async (): Promise<true | undefined> => {
    const pods = await client.list(
      { apiVersion: "v1", kind: "Pod", namespace: "kube-system" },
      { label: "name=tiller" },
    );
    return pods.some(isReady) || undefined;
  };
  await until(limits, ready, () => Promise.resolve(new Error("no pod of Tiller in kube-system is ready in time")));
}

/** Removes overrides of earlier versions that are no longer desired. */
async function removeOthers(client: Client, wanted: readonly KubeObject[]): Promise<void> {
  const keep = new Set(wanted.map((one) => identity(refOf(one))));
  for (const kind of ["ConfigMap", "Secret"]) {
    const found = await client.list({ apiVersion: "v1", kind, namespace: NAMESPACE }, { label: OVERRIDES });
    for (const one of found.filter((each) => !keep.has(identity(refOf(each))))) await client.remove(refOf(one));
  }
}
