import { violated } from "../../../kubernetes/gardener/shoot";
import type { DeploymentRow } from "../../database/tables";
import type { ApiContext } from "../context";
import { ApiError } from "../errors";

/** Gardener's constraint that reports whether a hibernated cluster could wake up again. */
export const POSSIBLE = "HibernationPossible";

const WITHIN_MS = 5_000;

/**
 * Throws with Gardener's message if the cluster can't be hibernated. If Gardener does not answer, the operation finds
 * out later.
 */
export async function checkHibernation(row: DeploymentRow, { runtimes }: ApiContext): Promise<void> {
  const shoot = await runtimes.shoots?.soon(row, WITHIN_MS);
  const reason = shoot && violated(shoot, POSSIBLE);
  if (reason === undefined) return;
  throw new ApiError({ code: "CONFLICT", component: "gardener", path: "id", reason: `cannot hibernate: ${reason}` });
}
