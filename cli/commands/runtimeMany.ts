import type { Context } from "../context";
import { EXIT, UsageError } from "../errors";
import { checkRequests } from "../fleet/checkRequests";
import { readSurroundings } from "../fleet/surroundings";
import { runJobs } from "../runtime/pool";
import { readRequests, refuse } from "../runtime/requests";
import { failureText, headline, type Result } from "../runtime/result";
import { count, seconds } from "../terminal/numbers";
import type { ManyOptions } from "./runtime";
import { changeOf, defaultPlatform, type UpOptions } from "./runtimeOptions";

/** Options that make sense for one runtime only; with -f they belong into the file. */
const SINGLE = ["slots", "version", "environment", "diskGb", "annotation", "provisioner", "move"] as const;

/** Brings all runtimes of a file up, and lists at the end the ones that failed. */
export async function upMany(context: Context, file: string, options: UpOptions & ManyOptions): Promise<void> {
  const wrong = SINGLE.find((name) => options[name] !== undefined);
  if (wrong !== undefined) throw new UsageError(`${wrong} cannot be given together with -f; put it into ${file}`);
  const requests = await readRequests(file);
  const platform = changeOf({ platform: options.platform }, undefined).platform ?? defaultPlatform();
  refuse(file, checkRequests(requests, await readSurroundings(requests, context.runtimeFolder, platform)));

  const { live, colours } = context;
  const started = performance.now();
  const results: Result[] = [];
  const common = { defaultPlatform: platform, waitSeconds: options.wait, refresh: options.refresh };
  const jobs = requests.map((request) => ({ request, ...common }));
  const notBegun = await runJobs(jobs, {
    parallel: options.parallel ?? 1,
    onBegin: (ids) => live.status(`  ${colours.dim(`bringing up ${ids.join(", ")}`)}`),
    onResult: (result) => {
      results.push(result);
      const number = colours.dim(`[${results.length}/${requests.length}]`);
      const host = typeof result.outputs.host === "string" ? `  ${result.outputs.host}` : "";
      live.line(`${number} ${result.ok ? headline(result, "is ready", colours) + host : `${result.id} failed`}`);
    },
  });
  finish(
    context,
    results,
    notBegun.map(({ request }) => request.id),
    performance.now() - started,
    options.json,
  );
}

function finish(
  { live, colours, ...context }: Context,
  results: readonly Result[],
  notBegun: readonly string[],
  milliseconds: number,
  json: boolean | undefined,
): void {
  const failures = results.filter((result) => !result.ok);
  if (failures.length > 0 || notBegun.length > 0) process.exitCode = EXIT.failure;
  if (json) context.print(JSON.stringify({ results, notBegun, milliseconds: Math.round(milliseconds) }, null, 2));
  for (const failure of failures) live.line(failureText(failure, "brought up", colours));
  if (notBegun.length > 0) live.line(`not begun: ${notBegun.join(", ")}`);
  const rate = Math.round((results.length / milliseconds) * 60_000);
  const ready = count(results.length - failures.length, "runtime");
  live.line(`${ready} ready, ${failures.length} failed, in ${seconds(milliseconds)} (${rate} per minute)`);
}
