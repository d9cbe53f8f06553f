import { mutations } from "./mutations";
import { queries } from "./queries";

export { Labels, OperationStatus, RuntimeConfig, RuntimeStatus } from "./types";
export { mutations, queries };

/** Whether a field of the root is one of the original's API, or ours in its style. */
export const isOriginal = (field: string): boolean => Object.hasOwn(queries, field) || Object.hasOwn(mutations, field);
