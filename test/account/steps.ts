import type { AccountStep } from "./step";
import { approval } from "./steps/approval";
import { bootstrap } from "./steps/bootstrap";
import { deploy } from "./steps/deploy";
import { destroy } from "./steps/destroy";
import { drift } from "./steps/drift";
import { importing } from "./steps/importing";
import { leftovers } from "./steps/leftovers";
import { plan } from "./steps/plan";
import { pullRequest } from "./steps/pullRequest";
import { rollback } from "./steps/rollback";
import { upgrade } from "./steps/upgrade";

/** The steps of the account test, in their order. */
export const STEPS: readonly AccountStep[] = [
  bootstrap,
  pullRequest,
  plan,
  approval,
  deploy,
  drift,
  upgrade,
  rollback,
  importing,
  destroy,
  leftovers,
];
