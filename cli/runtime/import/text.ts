import type { ImportStep } from "../../../engine/importing/many";
import type { OriginalOperation, OriginalRuntime } from "../../../engine/importing/provisioner";
import { count } from "../../../foundation/text/numbers";
import { table } from "../../terminal/table";

/* What an import from the original Runtime Provisioner shows and sends. Pure. */

/** A runtime that is imported. */
export interface PlannedImport {
  readonly step: ImportStep;
  /** Whether everything of it is there. */
  isDone: boolean;
  error?: string;
}

/** `hasService`: whether deployments are created too. */
export function importsTable(plan: readonly PlannedImport[], hasService: boolean): string {
  const rows = plan.map(({ step, isDone }) => {
    const { id, tenant, shoot, operations } = step.runtime;
    return [id, tenant, shoot, lastText(step.runtime), String(operations.length), thenText(step, isDone, hasService)];
  });
  const columns = ["RUNTIME", "TENANT", "SHOOT", "LAST OPERATION", "OPERATIONS", "IMPORT"];
  return table(columns, rows);
}

function lastText({ operations }: OriginalRuntime): string {
  const last = operations.at(-1);
  return last ? `${last.type} ${last.state} ${last.start_timestamp.slice(0, 10)}` : "none";
}

function thenText(step: ImportStep, isDone: boolean, hasService: boolean): string {
  if (step.step === "refused") return `not possible: ${step.reason}`;
  if (isDone) return "done before";
  if (step.step === "present") return "deployment";
  const { differences } = step.found;
  const differing =
    differences.length === 0 ? "" : `; ${count(differences.length, "field")} of the Shoot differ and stay`;
  return `${hasService ? "stack and deployment" : "stack"}${differing}`;
}

/** An element of the JSON output. */
export function structuredImport({ step, isDone, error }: PlannedImport) {
  const { id, tenant, shoot, project, operations } = step.runtime;
  const last = operations.at(-1);
  return {
    id,
    tenant,
    shoot: { project, name: shoot },
    operations: operations.length,
    lastOperation: last
      ? { id: last.id, type: last.type, state: last.state, startedAt: utc(last.start_timestamp) }
      : null,
    done: isDone,
    ...(step.step === "import" && { provisioner: step.found.provisioner, differences: step.found.differences }),
    ...(step.step === "refused" && { reason: step.reason }),
    ...(error !== undefined && { error }),
  };
}

/** The service takes so many. */
const MOST = 500;

/** The newest operations of a runtime, as `adoptDeployment` takes them. */
export const historyOf = ({ operations }: OriginalRuntime) => operations.slice(-MOST).map(pastOperation);

function pastOperation(operation: OriginalOperation) {
  const { id, type, state, stage, message, start_timestamp: start, end_timestamp: end } = operation;
  const { err_message: errMessage, reason, component } = operation;
  const succeeded = state === "SUCCEEDED";
  return {
    id,
    operation: type.toLowerCase().replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase()),
    succeeded,
    stage,
    message: message ?? "",
    startedAt: utc(start),
    endedAt: utc(end ?? start),
    lastError:
      errMessage || reason || component
        ? { errMessage: errMessage ?? "", reason: reason ?? "", component: component ?? "" }
        : null,
  };
}

/** The original writes times in UTC without a zone. */
const utc = (time: string): string => new Date(`${time.replace(" ", "T")}Z`).toISOString();
