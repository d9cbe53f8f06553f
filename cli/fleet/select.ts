import { platformReference } from "../../engine/stack/names";
import type { State, Summary } from "./summary";

/** Selects runtimes; all conditions must hold. */
export interface Filter {
  readonly provisioner?: string;
  readonly platform?: string;
  readonly environment?: string;
  readonly state?: State;
  readonly outdated?: boolean;
  readonly failed?: boolean;
}

/** Whether a runtime matches a filter. `--failed` matches every failed one, whatever its other states. */
export function matches(summary: Summary, filter: Filter): boolean {
  const { provisioner, platform, environment, state, outdated, failed } = filter;
  return (
    (provisioner === undefined || summary.provisioner === provisioner) &&
    (platform === undefined || summary.platform === platformReference(platform)) &&
    (environment === undefined || summary.environment === environment) &&
    (state === undefined || summary.state === state) &&
    (outdated !== true || summary.outdated === true) &&
    (failed !== true || summary.state === "failed")
  );
}

export const isFilter = (filter: Filter): boolean => Object.values(filter).some((value) => value !== undefined);
