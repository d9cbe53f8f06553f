import type { Workspaces } from "../../foundation/pulumi/backend";
import { distinctMessages } from "../../engine/pulumi/diagnostics";
import { previewStack } from "../delivery/preview";
import { summary } from "../delivery/report";
import type { DescribedStack } from "../project/stacks";
import { findingsOf, type Finding } from "./finding";

/**
 * What a preview finds: owners of names, conflicts of releases, nodes for pods, charts and their lock, and whether the
 * cluster accepts the objects.
 */
export async function previewFindings(workspaces: Workspaces, stack: DescribedStack): Promise<Finding[]> {
  const { ok, warning, fault } = findingsOf("preview");
  const { report } = await previewStack(workspaces, stack, { policy: "" });
  const remedy = `follow the message; pulumi preview --stack ${stack.name} repeats this check`;
  const found = [
    ...distinctMessages(report.errors).map((text) => fault(text, remedy)),
    ...distinctMessages(report.warnings).map((text) => warning(text, remedy)),
  ];
  return report.errors.length > 0 ? found : [ok(summary(report)), ...found];
}
