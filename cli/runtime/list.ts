import type { Context } from "../context";
import { isFilter, matches, type Filter } from "../fleet/select";
import { fleetTable, attentionLine } from "../fleet/text/table";
import { structured, type OutputOptions } from "../options/output";
import { whenChanged } from "../service/list";
import { runtimeTarget } from "./target/choose";
import type { Listed } from "./target/target";
import { filterOf, type TargetOptions } from "./options";

export type RuntimeListOptions = OutputOptions &
  Filter &
  TargetOptions & { readonly orphans?: boolean; readonly watch?: boolean };

export async function listRuntimes(context: Context, options: RuntimeListOptions): Promise<void> {
  const target = await runtimeTarget(context, options);
  await whenChanged(
    () => target.list(),
    options.watch,
    (all) => show(context, all, options),
  );
}

function show(context: Context, all: readonly Listed[], options: RuntimeListOptions): void {
  const filter = filterOf(options);
  const runtimes = all.filter((summary) => matches(summary, filter));
  const { output } = options;
  const printed = output === "id" ? runtimes.map(({ id }) => id).join("\n") : structured(runtimes, options);
  if (printed !== undefined) {
    if (printed !== "") context.print(printed);
    return;
  }
  if (runtimes.length === 0) {
    const none = "no runtimes yet; create one with: stackyard runtime up ID --version TAG";
    context.print(isFilter(filter) && all.length > 0 ? `none of ${all.length} runtimes matches` : none);
    return;
  }
  const columns = process.stdout.isTTY ? process.stdout.columns : undefined;
  context.print(fleetTable(runtimes, { columns, wide: output === "wide" }));
  const worth = attentionLine(runtimes);
  if (worth !== undefined) context.live.line(context.colours.dim(worth));
}
