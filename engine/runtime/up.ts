import { requestDigest } from "../../components/runtime/record/requestDigest";
import { typeOf } from "../../components/runtime/types/registry";
import type { Workspace } from "../../foundation/pulumi/backend";
import type { OperationOutcome } from "../update/operation";
import { pulumi } from "../pulumi/pulumi";
import { applyChange, type RuntimeChange } from "../stack/change";
import { RUNTIME_PROJECT } from "../stack/names";
import { withStore } from "../pulumi/state/store";
import { createStack, forgetIfEmpty } from "./create";
import { leavingContents } from "./leaving";
import { collectNotes, operate, resolvePending, toResult, type RuntimeOptions } from "./operate";
import { prepare, type Existing, type Prepared } from "./request/prepare";
import { likelyKubernetes, platformFile, readRuntimeConfig } from "./project";
import { presentIn, recordInState } from "./request/recorded";
import type { Result } from "./result";
import { isEmptyChange } from "./request/requests";
import { keepRequest, writeRequest } from "./request/requestCopy";

const PENDING = /\bpending operations? from (?:a )?previous deployment/;
/** How often to rebuild a request after concurrent changes. */
const MOST_TRIES = 5;

/**
 * Updates the stack of a runtime to its state plus this change. The stack file is written only after the request was
 * accepted: a rejected request is not stored anywhere.
 */
export async function updateRuntime(
  id: string,
  change: RuntimeChange,
  options: RuntimeOptions,
  existing: Existing = "may-be-new",
): Promise<Result> {
  const started = performance.now();
  const { notes, note } = collectNotes(options);
  const unsettled = await resolvePending("up", id, options, note);
  if (unsettled) return toResult(id, unsettled, started, notes);
  for (let tries = 1; ; tries++) {
    const prepared = await confirmed(id, change, options, existing, note);
    const outcome = await attempt(id, change, prepared, { ...options, existing }, note);
    const isLate = !outcome.ok && outcome.kind === "changed";
    if (!isLate || tries === MOST_TRIES) return toResult(id, outcome, started, notes);
  }
}

/** Prepares the request and shows differences of the stack file. They are applied only if the user confirms. */
async function confirmed(
  id: string,
  change: RuntimeChange,
  options: RuntimeOptions,
  existing: Existing,
  note: (text: string) => void,
): Promise<Prepared> {
  const prepared = await prepare(id, change, options, existing);
  const { differences, file, left } = prepared;
  if (left !== undefined) note(leftText(id, file.file, left));
  if (differences.length === 0 || options.fromFile === true) return prepared;
  const agreed =
    existing === "may-be-new" && isEmptyChange(change) && (await options.onDifferences?.(file.file, differences));
  if (agreed === true) return prepare(id, change, { ...options, fromFile: true }, existing);
  note(
    `${file.file} differs from the state, and the state is used (apply the file with: stackyard runtime up ${id} --from-file):\n` +
      differences.map((line) => `    ${line}`).join("\n"),
  );
  return prepared;
}

/** Describes a stack file that is left from a destroyed runtime. */
export const leftText = (id: string, file: string, fields: readonly string[]): string =>
  `${file} is left from a runtime ${id} that was destroyed, and is not applied (apply it with: stackyard runtime up ${id} --from-file):\n` +
  fields.map((line) => `    ${line}`).join("\n");

/** Runs a prepared request once, and writes it to the stack file if it was accepted. */
async function attempt(
  id: string,
  change: RuntimeChange,
  prepared: Prepared,
  options: RuntimeOptions & { readonly existing: Existing },
  note: (text: string) => void,
): Promise<OperationOutcome> {
  const { config, state, file, base } = prepared;
  const kubernetes = await usesKubernetes(prepared, options);
  const copy = await writeRequest(id, prepared, options);
  let isUnused = state === undefined;
  try {
    if (isUnused) await createStack(id, options.runtimes);
    const flags = ["--config-file", copy.file, ...leavingContents(prepared, options)];
    const run = await operate("up", id, { ...options, kubernetes }, note, flags);
    const outcome = await clearInterrupted(run, id, options.runtimes, note);
    if (outcome.ok || (await began(id, base, options.runtimes))) {
      isUnused = false;
      const stands = prepared.differences.length > 0 && options.fromFile !== true;
      const accepted = stands ? applyChange(readRuntimeConfig(file), change, options.defaultPlatform) : config;
      // Hibernating and waking need no file, so they don't create one.
      const keeps = options.keepsFile ?? true;
      if (keeps && (file.exists || options.existing === "may-be-new"))
        await keepRequest(id, prepared, accepted, await copy.read());
    }
    return outcome;
  } finally {
    await copy.remove();
    if (isUnused) await forgetIfEmpty(id, { ...options, keepFile: file.exists });
  }
}

/** Whether a failed request had started; the state then contains it. */
async function began(id: string, base: string, workspace: Workspace): Promise<boolean> {
  const after = await withStore(workspace, (store) => store.find(RUNTIME_PROJECT, id));
  return after !== undefined && requestDigest(recordInState(after)) !== base;
}

/** Guesses whether the Kubernetes provider is needed, to start it early. */
export async function usesKubernetes({ state, config }: Prepared, { platforms }: RuntimeOptions): Promise<boolean> {
  const present = state && presentIn(state);
  if (present !== undefined) return typeOf(present.place).usesKubernetes === true;
  return likelyKubernetes(await platformFile(platforms.folder, config.platform), config.deployment);
}

/**
 * Clears the pending operations that a killed update left in the state, which make the engine warn on every update.
 * Creating a runtime's resources again has the same result, so a successful update resolves them. The warning is
 * replaced by a note.
 */
async function clearInterrupted(
  outcome: OperationOutcome,
  stack: string,
  workspace: Workspace,
  note: (text: string) => void,
): Promise<OperationOutcome> {
  const warnings = outcome.warnings.filter((warning) => !PENDING.test(warning));
  if (!outcome.ok || warnings.length === outcome.warnings.length) return outcome;
  await pulumi(["refresh", "--stack", stack, "--yes", "--skip-preview", "--clear-pending-creates"], workspace);
  note("an earlier update was interrupted; its incomplete operations are resolved");
  return { ...outcome, warnings };
}
