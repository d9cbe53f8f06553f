import type { Context } from "../context";
import { Failure } from "../errors";
import { destroyRuntime } from "../runtime/destroy";
import { guard } from "../interrupt";
import { deploymentId } from "../stack/names";
import { confirm } from "../terminal/ask";
import type { DestroyOptions } from "./runtime";
import { runtimeOptions, tell } from "./runtimeUp";

export async function destroy(context: Context, id: string, options: DestroyOptions): Promise<void> {
  deploymentId(id);
  if (options.yes !== true && !(await confirm(`Destroy the runtime ${id} and what its provisioner does not keep?`))) {
    throw new Failure(`${id} was left as it is`);
  }
  const result = await guard(() => destroyRuntime(id, runtimeOptions(context, options)));
  tell(context, { ...result, outputs: {} }, "is gone", "destroyed", options.json);
}
