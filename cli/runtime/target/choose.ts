import { UsageError } from "../../../foundation/errors";
import type { Context } from "../../context";
import { accessOf } from "../../service/access";
import type { ServiceAccess } from "../../service/client";
import type { CommonOptions, LimitOptions, TargetOptions } from "../options";
import type { Target } from "./target";

type Options = CommonOptions & LimitOptions & { readonly orphans?: boolean; readonly timeout?: number };

/** Options that a command has only by itself, with the reason. */
const BY_ITSELF: Readonly<Partial<Record<keyof Options, string>>> = {
  refresh: "--refresh: the service looks for drift by itself (APP_DRIFT_INTERVAL)",
  fromFile: "--from-file: stack files belong to a checkout, and the service has none; pass the fields with -f",
  orphans: "--orphans: the service lists them with its query orphans",
  timeout: "--timeout: the service reports what it found when it last looked",
};

/** Options that only a service has, with the reason. */
const BY_SERVICE: Readonly<Partial<Record<keyof Options, string>>> = {
  key: "--key: a request without a service is not kept",
  revision: "--revision: only a service counts revisions",
  timeToLive: "--time-to-live: only a service ends lifetimes",
  idleLimit: "--idle-limit: only a service ends lifetimes",
  stoppedRetention: "--stopped-retention: only a service ends lifetimes",
};

const REFER = "; select a service with stackyard login or --service";

/** Returns the service that a command goes through; undefined if it works by itself. */
export async function chosenService(
  { live, colours }: Pick<Context, "live" | "colours">,
  options: TargetOptions,
): Promise<ServiceAccess | undefined> {
  const { local, service } = options;
  if (local === true && service !== undefined) throw new UsageError("pass --local or --service, not both");
  const access = local === true ? undefined : await accessOf(options);
  if (access && service === undefined) live.line(colours.dim(`through ${access.url}; --local goes around it`));
  return access;
}

/** Selects how a command reaches runtimes. Throws if it has options of the other way. */
export async function runtimeTarget(context: Context, options: Options): Promise<Target> {
  const access = await chosenService(context, options);
  refuseOthers(access, options);
  if (access) return new (await import("./service.js")).ServiceTarget(context, access, options);
  return (await import("./local.js")).localTarget(context, options);
}

/** Throws if a service is selected for a verb that it does not have. */
export async function demandLocal(context: Context, options: TargetOptions, why: string): Promise<void> {
  if (await chosenService(context, options))
    throw new UsageError(`${why}; pass --local where the state backend can be reached`);
}

function refuseOthers(access: ServiceAccess | undefined, options: Options): void {
  const table = access ? BY_ITSELF : BY_SERVICE;
  const [refused] = Object.entries(table).filter(([name]) => options[name as keyof Options] !== undefined);
  if (refused) throw new UsageError(access ? `${refused[1]}; or pass --local` : refused[1] + REFER);
  if (access && typeof options.wait === "number") {
    throw new UsageError("--wait: the service queues a request until earlier ones have ended; or pass --local");
  }
  if (!access && options.wait === false) {
    throw new UsageError(`--no-wait: without a service, the command itself runs the operation${REFER}`);
  }
}
