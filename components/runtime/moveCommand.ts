import type { PlanBase } from "./planBase";

/** How a user undoes that a stack was given another deployment id, as by `pulumi stack rename`. `id`: the former one. */
export const restoreId = (id: string | undefined): string =>
  `Restore deployment.id${id === undefined ? "" : ` (pulumi config set --path deployment.id ${id})`}, or use another stack`;

/** How a user moves a deployment to a provisioner, with the stackyard command and with pulumi. */
export const moveCommand = ({
  deployment: { id },
  provisioner,
}: Pick<PlanBase, "deployment" | "provisioner">): string =>
  `stackyard runtime up ${id} --provisioner ${provisioner} --move (by hand: pulumi config set move ${provisioner} && pulumi up)`;
