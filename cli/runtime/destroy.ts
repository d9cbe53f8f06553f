import type { Context } from "../context";
import { Failure } from "../../foundation/errors";
import { deploymentId } from "../../engine/stack/names";
import { confirm } from "../terminal/ask";
import { report } from "./text/report";
import { runtimeTarget } from "./target/choose";
import { isSingle } from "./up";
import { defaultPlatform } from "./upOptions";
import { filterOf, type ManyOptions } from "./options";
import { ago } from "../../foundation/text/numbers";
import { sizeText } from "../../kubernetes/objects/bytes";
import type { DiskStatus } from "../../kubernetes/ready/status";
import type { SetCondition } from "../../engine/runtime/contents";

export async function destroyRuntimes(context: Context, ids: readonly string[], options: ManyOptions): Promise<void> {
  const choice = { ids, all: options.all, filter: filterOf(options) };
  const [id] = ids;
  if (id === undefined || !isSingle(choice, options)) {
    const { runMany } = await import("./many.js");
    return runMany(context, { verb: "destroy", choice, change: { deployment: {} } }, options);
  }
  const target = await runtimeTarget(context, options);
  const request = { id: deploymentId(id), change: { deployment: {} } };
  if (options.yes !== true && !(await confirm(destroyQuestion(id, (await target.status(request.id))?.conditions)))) {
    throw new Failure(`${id} was left as it is`);
  }
  const result = await target.run({ request, destroy: true, defaultPlatform: defaultPlatform() });
  report(context, { ...result, outputs: {} }, "is gone", "destroyed", options.json);
}

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
