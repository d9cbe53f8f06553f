/** For a set that must not move: a change that would replace it at another place is an error. */

import type { ChangeKind } from "../../../foundation/pulumi/resource";
import type { SetInputs } from "../../../kubernetes/apply/set";

export function refuseMove(old: SetInputs, inputs: SetInputs, changes: Readonly<Record<string, ChangeKind>>): void {
  if (inputs.allowMove !== false) return;
  const moves = Object.entries(changes).some(([, kind]) => kind.endsWith("-replace"));
  if (!moves) return;
  throw new Error(
    `set ${old.namespace}/${old.name} is in cluster ${old.cluster}; found ${inputs.namespace}/${inputs.name} in cluster ` +
      `${inputs.cluster} wanted, which is another place. Its data would not be copied, so it moves only when that is ` +
      "allowed (a runtime: stackyard runtime up ID --move; by hand: pulumi config set move PROVISIONER)",
  );
}
