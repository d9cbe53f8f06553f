import { violated } from "../../../kubernetes/gardener/shoot";
import type { DeploymentRow } from "../../database/tables";
import type { ApiContext } from "../context";
import { ApiError } from "../errors";

/** Gardener's constraint that says whether a cluster would wake up again. */
export const POSSIBLE = "HibernationPossible";

const WITHIN_MS = 5_000;

/** Throws, with what Gardener says, where a cluster can't be hibernated. Where Gardener does not answer, the operation finds out. */
export async function checkHibernation(row: DeploymentRow, { runtimes }: ApiContext): Promise<void> {
  const shoot = await runtimes.shoots?.soon(row, WITHIN_MS);
  const reason = shoot && violated(shoot, POSSIBLE);
  if (reason === undefined) return;
  throw new ApiError({ code: "CONFLICT", component: "gardener", path: "id", reason: `cannot hibernate: ${reason}` });
}
