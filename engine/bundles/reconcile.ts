/** Reconciles bundles of platforms with the last state of their stacks, which stays as it is. */

import { BUNDLE_RELEASE } from "../../components/resources/tokens";
import { numberAt, textAt } from "../../kubernetes/objects/objects";
import { backendName, type Workspace } from "../../foundation/pulumi/backend";
import type { Context } from "../../foundation/pulumi/resource";
import type { Earlier } from "../../provider/resources/bundleRelease/earlier";
import type { Reconciled } from "../../provider/resources/bundleRelease/reconcile/reconcile";
import { unwrapSecrets, type ResourceState } from "../pulumi/state/checkpoint";
import { withStore } from "../pulumi/state/store";
import { exportedState } from "../stack/exported";
import { platformReference } from "../stack/names";

export type { Reconciled };

/** A bundle whose config asks for reconciliation. */
export interface ReconciledBundle {
  /** URN of its release in the stack of the platform. */
  readonly urn: string;
  /** `<namespace>/<name>`. */
  readonly name: string;
  readonly everySeconds: number;
}

/** Objects that take longer to become ready are reported, and the next look goes on behind them. */
const READY_SECONDS = 60;

interface Stack {
  readonly organization: string;
  readonly project: string;
  readonly stack: string;
}

function stackIn(platform: string): Stack {
  const [organization = "", project = "", stack = ""] = platformReference(platform).split("/");
  return { organization, project, stack };
}

/** The bundles of a platform that are to be reconciled; empty if the platform has no stack. Decrypts nothing. */
export async function reconciledBundles(platform: string, workspace: Workspace): Promise<ReconciledBundle[]> {
  const { organization, project, stack } = stackIn(platform);
  const state = await withStore(workspace, (store) => store.find(project, stack, organization));
  return (state?.resources ?? []).filter(isRelease).flatMap(({ urn, inputs }) => {
    const everySeconds = numberAt(inputs, "reconcileSeconds");
    const name = `${textAt(inputs, "namespace")}/${textAt(inputs, "name")}`;
    return everySeconds === undefined ? [] : [{ urn, name, everySeconds }];
  });
}

const isRelease = ({ type, delete: isReplaced }: ResourceState): boolean =>
  type === BUNDLE_RELEASE && isReplaced !== true;

interface Reconciling extends Pick<Context, "signal" | "log"> {
  /** That of the platforms. */
  readonly workspace: Workspace;
}

/**
 * Restores what differs of one bundle from the last update of its stack. Undefined if the stack does not have it any
 * more. A stack that is locked, or whose last update was interrupted, is left alone.
 */
export async function reconcileBundle(
  platform: string,
  urn: string,
  { workspace, signal, log }: Reconciling,
): Promise<Reconciled | undefined> {
  const { project, stack } = stackIn(platform);
  const [lock] = await withStore(workspace, (store) => store.locks(project, stack));
  if (lock) return busy(`stack ${stack} is locked by ${lock.user}@${lock.host} since ${lock.since}`);
  const { resources, begun = [] } = await exportedState(platformReference(platform), workspace, unwrapSecrets);
  const found = resources.find((one) => one.urn === urn && isRelease(one));
  if (!found?.inputs || !found.outputs) return undefined;
  if (begun.some((one) => one.urn === urn)) return busy("its last update was interrupted");
  const { reconcileRelease } = await import("../../provider/resources/bundleRelease/reconcile/reconcile.js");
  const backend = backendName(workspace);
  const context: Context = { urn, backend, preview: false, timeoutSeconds: READY_SECONDS, signal, log };
  const { inputs, outputs: state } = found;
  return reconcileRelease(context, found.id ?? "", { inputs, state } as unknown as Earlier);
}

const busy = (reason: string): Reconciled => ({ standing: "busy", reason, repaired: [], left: [] });
