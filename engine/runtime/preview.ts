import type { RuntimeChange } from "../stack/change";
import { leftText, usesKubernetes } from "./up";
import { createStack, forgetIfEmpty } from "./create";
import { leavingContents } from "./leaving";
import { operate, toResult, type RuntimeOptions } from "./operate";
import { prepare } from "./request/prepare";
import type { Result } from "./result";
import { writeRequest } from "./request/requestCopy";

/**
 * Previews an update of a runtime. Leaves no trace: the stack file is unchanged, and a stack created for the preview is
 * deleted.
 */
export async function previewUp(id: string, change: RuntimeChange, options: RuntimeOptions): Promise<Result> {
  const started = performance.now();
  const prepared = await prepare(id, change, options, "may-be-new");
  const { state, file, differences, left } = prepared;
  const notes = options.fromFile === true ? [] : differences.map((line) => `${file.file}: ${line}; not applied`);
  if (left !== undefined) notes.push(leftText(id, file.file, left));
  const kubernetes = await usesKubernetes(prepared, options);
  const copy = await writeRequest(id, prepared, options);
  const made = state === undefined;
  if (made) await createStack(id, options.runtimes);
  try {
    const note = (text: string) => notes.push(text);
    const flags = ["--config-file", copy.file, ...leavingContents(prepared, options)];
    const outcome = await operate("preview", id, { ...options, kubernetes }, note, flags);
    return toResult(id, outcome, started, notes);
  } finally {
    await copy.remove();
    // Another process may have created resources in it meanwhile.
    if (made) await forgetIfEmpty(id, { ...options, keepFile: file.exists });
  }
}
