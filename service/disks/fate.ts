import type { Workspace } from "../../foundation/pulumi/backend";
import { disksWhenDestroyed } from "../../engine/stack/cluster";
import { readState } from "../operations/run/deploymentStages";
import { deployedState } from "../operations/run/outcome";
import type { DiskFate } from "../lifetimes/rules";

/** Looks up what becomes of a deployment's disk in the state of its stack. */
export const diskLookup =
  (workspace: Workspace) =>
  async (id: string): Promise<DiskFate | undefined> => {
    const state = await readState(workspace, id);
    return state && disksWhenDestroyed(state.resources);
  };

/** Looks up whether somebody has destroyed a deployment without the service. */
export const goneLookup =
  (workspace: Workspace) =>
  async (id: string): Promise<boolean> =>
    deployedState(await readState(workspace, id), id) === null;
