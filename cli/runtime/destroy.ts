import { Failure } from "../errors";
import { StackFile } from "../stack/file";
import { operate, settleFirst, toResult, type RuntimeOptions } from "./operate";
import type { Result } from "./result";

/** Removes everything that belongs to a runtime, then its stack and its stack file. */
export async function destroyRuntime(id: string, options: RuntimeOptions): Promise<Result> {
  const started = performance.now();
  const notes: string[] = [];
  const note = (text: string) => {
    notes.push(text);
    options.onNote?.(text);
  };
  const unsettled = await settleFirst("destroy", id, options, note);
  const outcome = unsettled ?? (await operate("destroy", id, options, note, ["--remove"]));
  if (!outcome.ok && /no stack named '.*' found/.test(outcome.stderr)) {
    const { exists, file } = await StackFile.read(options.folder, id);
    throw new Failure(
      `there is no runtime ${id}${exists ? `, only its file ${file}; remove the file by hand if nobody needs it` : ""}`,
    );
  }
  return toResult(id, outcome, started, notes);
}
