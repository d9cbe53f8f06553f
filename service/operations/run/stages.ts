import type { OperationRow } from "../../database/tables";
import { DEPLOYMENT_STAGES } from "./deploymentStages";
import type { Stage } from "./stage";

/** The stages of an operation. Whatever else has operations one day names its own here. */
export const stagesFor = ({ kind }: Pick<OperationRow, "kind">): readonly Stage[] => DEPLOYMENT_STAGES[kind];
