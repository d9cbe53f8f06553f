import { fork, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { load } from "js-yaml";
import { findEngine } from "../../../engine/pulumi/warmEngine";

/** How a command of the Pulumi CLI ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What the process is asked to run. */
export interface Asked {
  readonly args: readonly string[];
  readonly folder: string;
  /** Path of the program's file. */
  readonly main: string;
  readonly backend: string;
  /** Plain values of the stack's config by key, as JSON, as the engine gives them to a provider's process. */
  readonly config: string;
}

/** In the environment of tests that watch or kill each of their processes. */
export const MARK = "STACKYARD_TEST_MARK";

/** Commands that start the program or providers, which takes most of their CPU. */
const VERBS = ["up", "preview", "refresh", "destroy"];

interface Kept {
  readonly child: ChildProcess;
  readonly env: string;
  isBusy: boolean;
  runs: number;
}

/** Each run leaves the bundles that it loaded in memory. */
const MOST_RUNS = 30;

let kept: Kept | undefined;

/**
 * Runs a command of the Pulumi CLI on one of our own programs in a process that stays loaded, which takes a third of the
 * CPU. Undefined for other commands and programs, while another command runs, and where the engine that can do it was
 * not built: such a command has to be run by itself. The stack must be named.
 */
export function warmPulumi(
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<Ended> | undefined {
  const backend = env["PULUMI_BACKEND_URL"];
  if (!VERBS.includes(args[0] ?? "") || backend === undefined || kept?.isBusy === true || MARK in env) return undefined;
  const { name, main } = load(readFileSync(path.join(folder, "Pulumi.yaml"), "utf8")) as {
    name: string;
    main?: string;
  };
  const stack = args[args.findIndex((arg) => arg === "-s" || arg === "--stack") + 1];
  if (main === undefined || !path.isAbsolute(main) || findEngine(env) === undefined) return undefined;
  const one = (kept = keptFor(env));
  one.runs += 1;
  hold(one, true);
  const asked: Asked = {
    args,
    folder,
    main,
    backend,
    config: configOf(path.join(folder, `Pulumi.${stack}.yaml`), name),
  };
  return new Promise<Ended>((resolve, reject) => {
    const gone = (): void => {
      kept = undefined;
      reject(new Error(`the process that keeps Pulumi loaded ended during pulumi ${args.join(" ")}`));
    };
    one.child.once("exit", gone);
    one.child.once("message", (ended: Ended) => {
      one.child.off("exit", gone);
      hold(one, false);
      resolve(ended);
    });
    one.child.send(asked);
  });
}

/** A process keeps the environment that it was started with; another backend is no other environment. */
function keptFor(env: Readonly<Record<string, string>>): Kept {
  const known = JSON.stringify({ ...env, PULUMI_BACKEND_URL: "" });
  if (kept?.child.connected === true) {
    if (kept.env === known && kept.runs < MOST_RUNS) return kept;
    kept.child.disconnect();
  }
  const child = fork(path.join(__dirname, "entry.js"), [], {
    env,
    execArgv: [],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  return { child, env: known, isBusy: false, runs: 0 };
}

/** The tests' process waits for a command, and not for a process that has none. */
function hold(one: Kept, isBusy: boolean): void {
  one.isBusy = isBusy;
  for (const each of [one.child, one.child.channel]) {
    if (isBusy) each?.ref();
    else each?.unref();
  }
}

/** Keys of the project have no prefix. */
function configOf(file: string, project: string): string {
  const { config = {} } = existsSync(file) ? (load(readFileSync(file, "utf8")) as { config?: object }) : {};
  const texts = Object.entries(config).map(([key, value]) => [
    key.replace(`${project}:`, ""),
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return JSON.stringify(Object.fromEntries(texts));
}
