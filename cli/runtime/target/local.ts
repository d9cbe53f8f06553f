import { protectedText } from "../../../components/runtime/protection";
import { disksNamed, findDisks, protectedAmong, removeDisks } from "../../../engine/disks/disks";
import { guard } from "../../../engine/process/interrupt";
import { narrate } from "../../../engine/pulumi/narrator";
import { withStore } from "../../../engine/pulumi/state/store";
import { readContents } from "../../../engine/runtime/contents";
import { provisionerOf } from "../../../engine/runtime/list";
import type { RuntimeOptions } from "../../../engine/runtime/operate";
import { watchBackend } from "../../../engine/backend/watch/stateWatch";
import { isWrittenFor, readRuntimeConfig } from "../../../engine/runtime/project";
import type { Request } from "../../../engine/runtime/request/request";
import { StackFile } from "../../../engine/stack/file";
import { RUNTIME_PROJECT } from "../../../engine/stack/names";
import { Planned } from "../../../engine/update/planned";
import { runJobs } from "../../../engine/workers/pool";
import type { RuntimeJob } from "../../../engine/workers/rollout";
import { EXIT, Failure } from "../../../foundation/errors";
import { isObject } from "../../../foundation/json/isObject";
import type { Workspace } from "../../../foundation/pulumi/backend";
import type { Context } from "../../context";
import { checkRequests, platformOf, type KnownRuntime, type RequestContext } from "../../fleet/checkRequests";
import { chooseRuntimes } from "../../fleet/choose";
import { readPlatforms } from "../../fleet/platforms";
import { readFleet } from "../../fleet/read";
import { confirm } from "../../terminal/ask";
import type { CommonOptions } from "../options";
import { defaultPlatform } from "../upOptions";
import type { Target } from "./target";

/** Reads what requests are checked against: their runtimes and platforms, in one connection to the state. */
function readRequestContext(
  requests: readonly Request[],
  workspace: Workspace,
  defaultPlatform: string,
): Promise<RequestContext> {
  return withStore(workspace, async (store) => {
    const runtimes = new Map<string, KnownRuntime>();
    for (const { id } of requests) {
      const state = await store.find(RUNTIME_PROJECT, id);
      const stackFile = await StackFile.read(workspace.folder, id);
      const file = readRuntimeConfig(stackFile);
      runtimes.set(id, {
        exists: (state?.resources.length ?? 0) > 0 || (hasVersion(file.deployment) && !isWrittenFor(stackFile, id)),
        platform: typeof file.platform === "string" ? file.platform : undefined,
        provisioner: state && provisionerOf(state),
      });
    }
    const known = { runtimes, defaultPlatform };
    const platforms = await readPlatforms(
      store,
      requests.map((request) => platformOf(request, known)),
    );
    return { ...known, platforms };
  });
}

function hasVersion(deployment: unknown): boolean {
  return isObject(deployment) && "version" in deployment;
}

/** Options of operations on one runtime, with progress on standard error. */
export function runtimeOptions(context: Context, options: CommonOptions): RuntimeOptions {
  const { live, colours } = context;
  const { wait } = options;
  return {
    platforms: context.platforms,
    runtimes: context.runtimes,
    defaultPlatform: defaultPlatform(),
    waitSeconds: wait === false ? undefined : wait,
    refresh: options.refresh,
    fromFile: options.fromFile,
    disk: options.disk,
    onEvent: (event) => {
      for (const { kind, text } of narrate(event)) {
        if (kind === "status") live.status(`  ${colours.dim(text)}`);
        else live.line(kind === "warning" ? `${colours.warn("warning:")} ${text}` : `  ${text}`);
      }
    },
    onNote: (text) => live.line(`  ${text}`),
  };
}

/** Reports what is missing in a result. The command goes on, and fails at its end. */
function reportFault({ live, colours }: Context, fault: string): void {
  live.line(`${colours.bad("error:")} ${fault}`);
  process.exitCode = EXIT.failure;
}

/** Reaches runtimes in the state backend, with the clusters and ledgers of their platforms. */
export function localTarget(context: Context, options: CommonOptions): Target {
  const { platforms, runtimes, live } = context;
  const place = { platforms, runtimes };
  const read = (ids?: readonly string[]) => readFleet(runtimes, ids, (fault) => reportFault(context, fault));
  return {
    list: async (ids) => (await read(ids)).map(({ summary }) => summary),

    async status(id) {
      const [found] = await read([id]);
      if (!found) return undefined;
      const { stack, summary } = found;
      return { ...summary, outputs: stack.outputs, ...(await readContents(stack, runtimes)) };
    },

    faultsOf: async (requests) =>
      checkRequests(requests, await readRequestContext(requests, runtimes, defaultPlatform())),

    run: (job) => guard(() => runOne(context, job, options)),

    async runAll(waves, { onResult, ...limits }) {
      let succeeded = false;
      const state = watchBackend(runtimes, (text) => live.line(`  ${text}`));
      const heard: typeof onResult = (result) => {
        state.heard();
        succeeded = result.ok;
        onResult(result);
      };
      return runJobs(waves, { ...limits, onResult: heard }).finally(() => state.end(succeeded));
    },

    async preview({ id, change }) {
      const { previewUp } = await import("../../../engine/runtime/preview.js");
      const planned = new Planned();
      const running = { ...runtimeOptions(context, options), onEvent: planned.event.bind(planned) };
      const result = await guard(() => previewUp(id, change, running));
      return { ...result, notes: [...result.notes, ...planned.notes], plan: planned.changes };
    },

    async check(choice, how) {
      const { checkRuntimes } = await import("../../fleet/check.js");
      return checkRuntimes(await chooseRuntimes(choice, read), {
        ...place,
        ...how,
        defaultPlatform: defaultPlatform(),
      });
    },

    disks: () => findDisks(place),

    async disksNamed(names) {
      const { disks: found, unseen } = await findDisks(place);
      const { named, faults } = disksNamed(found, names);
      if (faults.length > 0) {
        const where = unseen.length > 0 ? `; not looked at: ${unseen.join("; ")}` : "";
        throw new Failure(`${faults.join("\n")}${where}. "stackyard runtime disks" lists them`, "input");
      }
      const [one] = await protectedAmong(named, place);
      if (one !== undefined) throw new Failure(protectedText(one, "a disk of it would be deleted"), "protected");
      return { disks: named, remove: () => removeDisks(named) };
    },

    async kubeconfig(id, how) {
      return (await import("./kubeconfig.js")).issueFor(id, place, how);
    },
  };
}

async function runOne(context: Context, { request, destroy, existing, command }: RuntimeJob, options: CommonOptions) {
  const { id, change } = request;
  const running = runtimeOptions(context, options);
  if (destroy === true) {
    return (await import("../../../engine/runtime/destroy.js")).destroyRuntime(id, running);
  }
  const { updateRuntime } = await import("../../../engine/runtime/up.js");
  const onDifferences = (file: string, differences: readonly string[]) =>
    applyDifferences(context, id, file, differences);
  return updateRuntime(id, change, { ...running, command, onDifferences }, existing);
}

/** Asks whether to apply a stack file that differs from the state; `--yes` does not answer this. */
async function applyDifferences(
  { live }: Context,
  id: string,
  file: string,
  differences: readonly string[],
): Promise<boolean> {
  const lines = differences.map((line) => `  ${line}`).join("\n");
  if (!process.stdin.isTTY) {
    throw new Failure(
      `${file} differs from what ${id} was last updated with:\n${lines}\n` +
        `Apply the file with: stackyard runtime up ${id} --from-file; or name what is to change, such as --version TAG, and the rest stays as the state has it`,
    );
  }
  live.line(`${file} differs from what ${id} was last updated with:\n${lines}`);
  return confirm("Apply the file? Otherwise the state is used.");
}
