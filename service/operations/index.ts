export type { Asked, Caller } from "./asked";
export { CALLER_CODES, OperationError, SERVICE_CODES, type ErrorCode } from "./error";
export { Operations, type OperationsOptions } from "./operations";
