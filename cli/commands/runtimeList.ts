import type { Context } from "../context";
import { listed, listTable, readRuntimes } from "../runtime/list";
import type { CommonOptions } from "./runtime";

export async function list(context: Context, options: CommonOptions): Promise<void> {
  const runtimes = (await readRuntimes(context.runtimeFolder)).map(listed);
  context.print(options.json ? JSON.stringify(runtimes, null, 2) : listTable(runtimes));
}
