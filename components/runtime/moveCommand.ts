import type { PlanBase } from "./planBase";

/** The command that moves a deployment to its provisioner. */
export const moveCommand = ({ deployment: { id }, provisioner }: PlanBase): string =>
  `stackyard runtime up ${id} --provisioner ${provisioner} --move`;
