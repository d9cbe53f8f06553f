export type { OperationInput, Caller } from "./input";
export { CALLER_CODES, OperationError, SERVICE_CODES, type ErrorCode } from "./error";
export { Operations, type OperationsOptions } from "./operations";
