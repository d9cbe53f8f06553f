import type { Context } from "../context";
import { Failure } from "../../foundation/errors";
import { destroyRuntime } from "../../engine/runtime/destroy";
import { guard } from "../../engine/process/interrupt";
import { deploymentId } from "../../engine/stack/names";
import { confirm } from "../terminal/ask";
import type { ManyOptions } from "./options";
import { filterOf } from "./filter";
import { isSingle, runtimeOptions, report } from "./up";

export async function destroyRuntimes(context: Context, ids: readonly string[], options: ManyOptions): Promise<void> {
  const choice = { ids, all: options.all, filter: filterOf(options) };
  const [id] = ids;
  if (id === undefined || !isSingle(choice, options)) {
    const { runMany } = await import("./many.js");
    return runMany(context, { verb: "destroy", choice, change: { deployment: {} } }, options);
  }
  deploymentId(id);
  if (options.yes !== true && !(await confirm(`Destroy the runtime ${id} and what its provisioner does not keep?`))) {
    throw new Failure(`${id} was left as it is`);
  }
  const result = await guard(() => destroyRuntime(id, runtimeOptions(context, options)));
  report(context, { ...result, outputs: {} }, "is gone", "destroyed", options.json);
}
