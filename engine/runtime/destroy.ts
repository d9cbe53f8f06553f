import { isKeptObjectText } from "../../kubernetes/remove/keptObjects";
import { DIRECTOR_RUNTIME } from "../../components/resources/tokens";
import { protectedText } from "../../components/runtime/protection";
import type { OperationOutcome } from "../update/operation";
import { Failure } from "../../foundation/errors";
import { backendName } from "../../foundation/pulumi/backend";
import { StackFile } from "../stack/file";
import { RUNTIME_PROJECT } from "../stack/names";
import type { StackState } from "../pulumi/state/checkpoint";
import { withStore } from "../pulumi/state/store";
import { isProtectedIn } from "./request/recorded";
import { collectNotes, operate, resolvePending, toResult, type RuntimeOptions } from "./operate";
import type { Result } from "./result";

const DESTROYS = "destroy deletes its disk, slots, cluster and database";

/** Deletes everything that belongs to a runtime, then its stack and its stack file. */
export async function destroyRuntime(id: string, options: RuntimeOptions): Promise<Result> {
  const started = performance.now();
  const { notes, note } = collectNotes(options);
  const state = await withStore(options.runtimes, (store) => store.find(RUNTIME_PROJECT, id));
  if (state && isProtectedIn(state)) throw new Failure(protectedText(id, DESTROYS), "protected");
  if (hasNothing(state)) {
    const owners = await refuseOrphans(id, options);
    if (owners.length > 0) note(`resources of ${id} belong to ${owners.join("; and to ")}, and stay`);
  }
  const outcome = await destroyStack(id, options, note);
  if (!outcome.ok && /no stack named '.*' found/.test(outcome.stderr)) {
    const { exists, file } = await StackFile.read(options.runtimes.folder, id);
    throw new Failure(
      `there is no runtime ${id}${exists ? `, only its file ${file}; remove the file by hand if it is not needed` : ""}`,
    );
  }
  const remaining = outcome.warnings.filter(isKeptObjectText);
  return { ...toResult(id, outcome, started, notes), ...(remaining.length > 0 && { remaining }) };
}

/** Deletes resources of a runtime by URN, with their dependents. */
export async function destroyParts(id: string, urns: readonly string[], options: RuntimeOptions): Promise<Result> {
  const started = performance.now();
  const notes: string[] = [];
  const note = (text: string) => notes.push(text);
  const unsettled = await resolvePending("destroy", id, options, note);
  const flags = [...urns.flatMap((urn) => ["--target", urn]), "--target-dependents"];
  return toResult(id, unsettled ?? (await operate("destroy", id, options, note, flags)), started, notes);
}

/** Deletes the resources in a stack's state, and the stack. */
export async function destroyStack(
  stack: string,
  options: RuntimeOptions,
  note: (text: string) => void,
): Promise<OperationOutcome> {
  const unsettled = await resolvePending("destroy", stack, options, note);
  return unsettled ?? operate("destroy", stack, options, note, ["--remove"]);
}

/** True if the stack exists but has nothing to delete. A registration in a Director alone is no runtime. */
function hasNothing(state: StackState | undefined): boolean {
  if (state === undefined || state.pending > 0) return false;
  return !state.resources.some(
    ({ custom, type }) => custom === true && type.startsWith("stackyard:") && type !== DIRECTOR_RUNTIME,
  );
}

/**
 * Throws if ledgers or clusters still have parts of the runtime: an empty state may have been lost. Returns the owners of
 * parts that belong to stacks of other backends, which this stack did not create.
 */
export async function refuseOrphans(id: string, options: RuntimeOptions): Promise<string[]> {
  const [{ findOrphans, orphansOf }, { foreignOwners, foreignRecord, partsOf }] = await Promise.all([
    import("../orphans/find.js"),
    import("../orphans/kinds.js"),
  ]);
  const found = await findOrphans(options);
  const backend = backendName(options.runtimes);
  const all = orphansOf(found, id);
  const parts = all.filter((orphan) => foreignRecord(orphan, backend) === undefined).flatMap(partsOf);
  if (parts.length > 0) {
    throw new Failure(
      `the state of ${id} is empty, but resources exist:\n${parts.map((part) => `  - ${part}`).join("\n")}\n` +
        `Restore its stack with "stackyard runtime adopt ${id}", or remove it with "stackyard runtime remove-orphan ${id}"`,
    );
  }
  if (found.unseen.length === 0) return foreignOwners(all, backend);
  throw new Failure(
    `the state of ${id} is empty, and it could not be checked whether resources are left:\n` +
      `${found.unseen.map((reason) => `  - ${reason}`).join("\n")}\n` +
      `If these are gone for good, forget the stack: pulumi stack rm ${id} (in ${options.runtimes.folder})`,
  );
}
