import type { Context } from "../context";
import { Failure } from "../../foundation/errors";
import { deploymentId } from "../../engine/stack/names";
import { confirm } from "../terminal/ask";
import { report } from "./text/report";
import { runtimeTarget } from "./target/choose";
import { isSingle } from "./up";
import { defaultPlatform } from "./upOptions";
import { filterOf, type ManyOptions } from "./options";
import { destroyQuestion } from "./text/question";

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
