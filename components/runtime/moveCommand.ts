import type { PlanBase } from "./planBase";

/** How a user moves a deployment to a provisioner, with the stackyard command and with pulumi. */
export const moveCommand = ({
  deployment: { id },
  provisioner,
}: Pick<PlanBase, "deployment" | "provisioner">): string =>
  `stackyard runtime up ${id} --provisioner ${provisioner} --move (by hand: pulumi config set move ${provisioner} && pulumi up)`;
