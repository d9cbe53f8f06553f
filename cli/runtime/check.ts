import type { Context } from "../context";
import { EXIT } from "../../foundation/errors";
import type { Checked } from "../fleet/check";
import { isFilter, type Filter } from "../fleet/select";
import type { Colours } from "../terminal/colours";
import { count, seconds } from "../../foundation/text/numbers";
import { structured, type OutputOptions } from "../options/output";
import { runtimeTarget } from "./target/choose";
import { filterOf, type TargetOptions } from "./options";

export interface CheckCommandOptions extends OutputOptions, Filter, TargetOptions {
  readonly all?: boolean;
  readonly timeout?: number;
}

const DEFAULT_TIMEOUT_SECONDS = 30;

/** Checks whether state, cluster and ledger of each runtime agree. Exit code 1 if one does not. */
export async function check(context: Context, ids: readonly string[], options: CheckCommandOptions): Promise<void> {
  const started = performance.now();
  const { all, timeout: timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = options;
  const filter = filterOf(options);
  const target = await runtimeTarget(context, options);
  const checked = await target.check({ ids, all, filter }, { timeoutSeconds, all: all === true && !isFilter(filter) });
  const wrong = checked.filter(({ ok }) => !ok).length;
  if (wrong > 0) process.exitCode = EXIT.failure;
  const printed = structured(checked, options);
  if (printed !== undefined) {
    context.print(printed);
    return;
  }
  if (checked.length > 0) context.print(checked.flatMap((one) => lines(one, context.colours)).join("\n"));
  const took = seconds(performance.now() - started);
  context.live.line(`${count(checked.length, "runtime")} checked, ${wrong} with problems, in ${took}`);
}

function lines({ id, ok, problems }: Checked, colours: Colours): string[] {
  const head = `${ok ? colours.good("✓") : colours.bad("✗")} ${id}`;
  return [head, ...problems.map(({ kind, text }) => `    ${kind}: ${text.replace(/\n/g, "\n      ")}`)];
}
