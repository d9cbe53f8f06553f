import { disksWhenDestroyed } from "../../engine/state/cluster";
import { readState } from "../operations/run/deploymentStages";
import type { DiskFate } from "../lifetimes/rules";

/** Looks up what becomes of a deployment's disk in the state of its stack. `folder`: of the runtimes' project. */
export const diskLookup =
  (folder: string) =>
  async (id: string): Promise<DiskFate | undefined> => {
    const state = await readState(folder, id);
    return state && disksWhenDestroyed(state.resources);
  };
