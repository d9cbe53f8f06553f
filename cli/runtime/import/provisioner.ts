import { importShoot } from "../../../engine/importing/import";
import { planImports, type ImportStep } from "../../../engine/importing/many";
import { gardenerProvisioners } from "../../../engine/importing/shoot";
import { readProvisioner, type OriginalRuntime } from "../../../engine/importing/provisioner";
import { guard, isInterrupted } from "../../../engine/process/interrupt";
import { platformReference } from "../../../engine/stack/names";
import { readPlatform } from "../../../engine/stack/platformOutputs";
import { EXIT, Failure, messageOf } from "../../../foundation/errors";
import { count } from "../../../foundation/text/numbers";
import { forAll } from "../../../kubernetes/client/pool";
import { success, type Context } from "../../context";
import { accessOf } from "../../service/access";
import { ask, type ServiceAccess } from "../../service/client";
import { confirm } from "../../terminal/ask";
import { runtimeOptions } from "../target/local";
import { defaultPlatform } from "../upOptions";
import { failureText } from "../text/result";
import type { RuntimeImportOptions } from "./options";
import { historyOf, importsTable, structuredImport, type PlannedImport } from "./text";

const FIND = "query ($id: ID!) { deployment(id: $id) { id } }";
const ADOPT = "mutation ($id: ID!, $history: [PastOperation!]!) { adoptDeployment(id: $id, history: $history) { id } }";

type Options = RuntimeImportOptions & { readonly fromProvisioner: string };

/**
 * Imports the runtimes of the original Runtime Provisioner: a stack for each, and through a selected service a deployment
 * of its tenant with its operations. What an earlier import has made stays as it is.
 */
export async function importFromProvisioner(context: Context, id: string | undefined, options: Options): Promise<void> {
  const { live } = context;
  const access = options.local === true ? undefined : await accessOf(options);
  const platform = options.platform === undefined ? defaultPlatform() : platformReference(options.platform);
  live.status("reading the database of the Runtime Provisioner");
  const { runtimes, deprovisioned } = await readProvisioner(options.fromProvisioner);
  const chosen = runtimes.filter((runtime) => (id ?? runtime.id) === runtime.id);
  if (id !== undefined && chosen.length === 0) throw new Failure(`the Runtime Provisioner has no runtime ${id}`);
  live.status(`looking at ${count(chosen.length, "Shoot")}`);
  const steps = await guard(async () => {
    const gardens = gardenerProvisioners(await readPlatform(context.platforms, platform), options.provisioner);
    return planImports(chosen, gardens, context.runtimes);
  });
  const plan = await withService(steps, access);
  live.end();
  const isJson = options.json === true;
  if (!isJson) {
    context.print(importsTable(plan, access !== undefined));
    if (deprovisioned > 0) live.line(`${count(deprovisioned, "deprovisioned runtime")} in it stay there`);
    if (!access)
      live.line("without a service, only stacks are created; repeat it with --service for tenants and operations");
  }
  const open = plan.filter(({ isDone, step }) => !isDone && step.step !== "refused");
  if (options.dryRun !== true && open.length > 0) await execute(context, open, platform, access, options);
  if (options.dryRun === true && !isJson) live.line("nothing was imported (--dry-run)");
  if (isJson) context.print(JSON.stringify({ deprovisioned, runtimes: plan.map(structuredImport) }, null, 2));
  if (plan.some(({ isDone }) => !isDone) && options.dryRun !== true) process.exitCode = EXIT.failure;
}

const asTenant = (access: ServiceAccess, { tenant }: OriginalRuntime): ServiceAccess => ({ ...access, tenant });

/** Finds which runtimes the service has. Without one, a stack is all that an import creates. */
function withService(steps: readonly ImportStep[], access: ServiceAccess | undefined): Promise<PlannedImport[]> {
  return forAll(steps, async (step) => {
    if (!access || step.step !== "present") return { step, isDone: !access && step.step === "present" };
    const { deployment } = await ask<{ deployment: object | null }>(asTenant(access, step.runtime), FIND, {
      id: step.runtime.id,
    });
    return { step, isDone: deployment !== null };
  });
}

async function execute(
  context: Context,
  open: readonly PlannedImport[],
  platform: string,
  access: ServiceAccess | undefined,
  options: Options,
): Promise<void> {
  const question = `Import ${count(open.length, "runtime")}? The Runtime Provisioner must be stopped, or both will change these clusters.`;
  if (options.yes !== true && !(await confirm(question))) throw new Failure("nothing was imported");
  for (const planned of open) {
    if (isInterrupted()) break;
    const { step } = planned;
    const { id } = step.runtime;
    try {
      // A service has no stack files.
      const own = { ...runtimeOptions(context, options), keepsFile: access === undefined };
      const result = step.step === "import" && (await guard(() => importShoot(id, step.found, platform, own)));
      if (result && !result.ok) throw new Failure(failureText(result, "imported", context.colours));
      if (access) await ask(asTenant(access, step.runtime), ADOPT, { id, history: historyOf(step.runtime) });
      planned.isDone = true;
      success(context, `${id} is imported`);
    } catch (error) {
      planned.error = messageOf(error);
      context.live.line(`${id}: ${planned.error}`);
    }
  }
  const failed = open.filter(({ isDone }) => !isDone).length;
  if (failed > 0) context.live.line(`${count(failed, "runtime")} not imported; repeat the command for them`);
}
