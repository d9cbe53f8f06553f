import { mutations } from "./mutations";
import { queries } from "./queries";

export { Labels, OperationStatus, RuntimeConfig, RuntimeStatus } from "./types";
export { mutations, queries };

/** True for a root field of the runtime API, including our additions to it. */
export const isOriginal = (field: string): boolean => Object.hasOwn(queries, field) || Object.hasOwn(mutations, field);
