import { forgetIfEmpty } from "../../engine/runtime/create";
import { presentIn } from "../../engine/runtime/request/recorded";
import { RUNTIME_PROJECT } from "../../engine/stack/names";
import type { RuntimeChange, RuntimeConfig } from "../../engine/stack/change";
import { disksWhenDestroyed } from "../../engine/stack/cluster";
import { maskSecrets } from "../../engine/pulumi/state/checkpoint";
import { withStore } from "../../engine/pulumi/state/store";
import type { PlannedChange } from "../../engine/update/planned";
import { KINDS, type OperationKind } from "../kinds/kinds";
import type { LifetimeView } from "../lifetimes/rules";
import { classify } from "./run/classify";
import { fullChange } from "./run/deploymentStages";
import { brokenFailure } from "./run/failure";
import { endPreview, notePreview } from "./previews";
import { kindOfType, nameOfUrn } from "../../engine/pulumi/events";
import type { StagePlace } from "./run/stage";

/** Result of a preview. */
export interface Plan {
  readonly deployment: string;
  readonly kind: OperationKind;
  readonly changes: readonly PlannedChange[];
  readonly notes: readonly string[];
  readonly outputs?: Readonly<Record<string, unknown>>;
  /** Its lifetime after the request; undefined without a limit. */
  readonly lifetime?: LifetimeView;
}

export interface PlanRequest {
  readonly deployment: string;
  readonly kind: OperationKind;
  readonly change: RuntimeChange;
  /** The desired config after the operation. */
  readonly desiredConfig: RuntimeConfig;
}

/** What becomes of the disks of a deployment that is deprovisioned, which the changes do not show. */
const FATES = {
  deleted: "Its disk is deleted, with all of its data.",
  kept: "Its disk stays as a kept disk, because its provisioner keeps disks.",
} as const;
const LIMIT_MS = 120_000;
const WAIT_SECONDS = 5;

/** Previews operations without changing anything. */
export class Planner {
  constructor(private readonly place: Pick<StagePlace, "database" | "workspace" | "defaultPlatform" | "runEngine">) {}

  async plan({ deployment, kind, change, desiredConfig }: PlanRequest): Promise<Plan> {
    const { database, workspace, defaultPlatform } = this.place;
    const state = await withStore(workspace, (store) => store.find(RUNTIME_PROJECT, deployment));
    const { deletes, refreshes = false } = KINDS[kind];
    if (deletes) {
      const { resources = [] } = state ?? {};
      const fate = disksWhenDestroyed(resources);
      return { deployment, kind, changes: removals(resources), notes: fate ? [FATES[fate]] : [] };
    }
    const preview = state === undefined ? await notePreview(database, deployment) : undefined;
    const isThere = state !== undefined && presentIn(state) !== undefined;
    const result = await this.place.runEngine(
      {
        verb: "preview",
        id: deployment,
        change: isThere ? change : fullChange({ desiredConfig }, change),
        refresh: refreshes,
        command: `service ${kind}`,
        defaultPlatform,
        waitSeconds: WAIT_SECONDS,
        gone: [],
      },
      { limitMs: LIMIT_MS, ...(preview && { deadline: preview.deadline }) },
    );
    if (preview) {
      // Its worker may not have removed the stack that it created for a new deployment.
      if ("broken" in result || !result.ok) await forgetIfEmpty(deployment, { runtimes: workspace, keepFile: true });
      await endPreview(database, preview);
    }
    if ("broken" in result) throw brokenFailure(result).failure.error;
    if (!result.ok) throw classify(result.errors, result.kind).error;
    const { plan = [], notes, outputs } = result;
    return { deployment, kind, changes: plan, notes, outputs };
  }
}

interface Resource {
  readonly urn: string;
  readonly type: string;
  readonly custom?: boolean;
  readonly inputs?: Readonly<Record<string, unknown>>;
}

/**
 * A deletion removes all resources in the state. The policies of disks and databases decide what happens to their data.
 */
function removals(resources: readonly Resource[]): PlannedChange[] {
  return resources
    .filter(({ custom, type }) => custom === true && type.startsWith("stackyard:"))
    .map(({ urn, type, inputs = {} }) => ({
      action: "delete",
      type: kindOfType(type),
      name: nameOfUrn(urn),
      urn,
      properties: Object.entries(maskSecrets(inputs) as Readonly<Record<string, unknown>>).map(([path, before]) => ({
        path,
        before,
      })),
    }));
}
