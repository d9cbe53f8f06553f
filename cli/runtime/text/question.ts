import { ago } from "../../../foundation/text/numbers";
import { sizeText } from "../../../kubernetes/objects/bytes";
import type { DiskStatus } from "../../../kubernetes/ready/status";
import type { SetCondition } from "../../../engine/runtime/contents";

/** The question before a runtime is destroyed, with each of its disks. `conditions`: of its sets, if they are known. */
export function destroyQuestion(id: string, conditions: readonly SetCondition[] = [], now = new Date()): string {
  const lines = conditions.flatMap((condition) => {
    if ("unknown" in condition) return [`  - its disks are not known: ${condition.unknown}`];
    if ("elsewhere" in condition) return [`  - its disks are not known: ${condition.elsewhere}`];
    return condition.objects.flatMap(({ disks }) => disks.map((disk) => diskLine(disk, now)));
  });
  const question = `Destroy the runtime ${id} and what its provisioner does not keep?`;
  return lines.length === 0 ? question : `disks of ${id}:\n${lines.join("\n")}\n${question}`;
}

function diskLine({ claim, bytes, since, goes }: DiskStatus, now: Date): string {
  const size = bytes === undefined ? "not bound" : sizeText(bytes);
  const age = since === undefined ? "" : `, ${ago(new Date(since), now)} old`;
  return `  - ${claim} (${size}${age}) ${goes ? "is deleted with its data" : "is kept"}`;
}
