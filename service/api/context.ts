import type DataLoader from "dataloader";
import type { DeploymentRow, DriftRow, OperationRow, StageRow } from "../database/tables";
import type { CallerOfAny } from "./auth/identity";
import type { Backend } from "./backend";

/** What belongs to one request. */
export interface ApiContext {
  readonly backend: Backend;
  readonly loaders: Loaders;
  /** Who calls; throws where the request has no token that is right. */
  caller(): Promise<CallerOfAny>;
  readonly requestId: string;
  readonly log: Log;
  readonly defaultPlatform: string;
  /** Ends with the request. */
  readonly signal: AbortSignal;
}

/** As much of pino as the API needs. */
export interface Log {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

/** What several fields of one answer need is read once. */
export interface Loaders {
  readonly deployment: DataLoader<string, DeploymentRow | undefined>;
  readonly newestOperation: DataLoader<string, OperationRow | undefined>;
  readonly stages: DataLoader<string, readonly StageRow[]>;
  readonly drift: DataLoader<string, DriftRow | undefined>;
}
