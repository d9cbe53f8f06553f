import type { Outcome } from "../engine/operation";
import { Failure, UsageError } from "../errors";
import { applyChange, missingFlags, type RuntimeChange, type RuntimeConfig } from "../stack/change";
import { StackFile } from "../stack/file";
import { createStack, forgetIfEmpty } from "./create";
import { clearInterrupted } from "./interrupted";
import { operate, toResult, type RuntimeOptions } from "./operate";
import { likelyKubernetes, platformFile, configKey, readConfig, writeConfig } from "./project";
import type { Result } from "./result";
import { adoptSecrets } from "./secrets";

/** Whether what is asked for is a runtime that must be there already. */
export type Existing = "must-exist" | "may-be-new";

/** Changes the stack file of a runtime and brings its stack up. */
export async function bringUp(
  id: string,
  change: RuntimeChange,
  options: RuntimeOptions,
  existing: Existing = "may-be-new",
): Promise<Result> {
  const started = performance.now();
  const file = await StackFile.read(options.folder, id);
  const config = changedConfig(file, id, change, options, existing);
  writeConfig(file, config);
  const isNew = !file.exists;
  const platform = await platformFile(options.root, config.platform);
  if (isNew) await adoptSecrets(file, options.folder, config.platform);
  await file.write();
  if (isNew) await createStack(id, options.folder);

  const notes: string[] = [];
  const note = (text: string) => {
    notes.push(text);
    options.onNote?.(text);
  };
  const running = { ...options, kubernetes: likelyKubernetes(platform, config.deployment) };
  let outcome = await operate("up", id, running, note);
  if (isUnknownStack(outcome)) {
    // The file was there without its stack: written by hand, or the stack was removed elsewhere.
    await createStack(id, options.folder);
    outcome = await operate("up", id, running, note);
  }
  outcome = await clearInterrupted(outcome, id, options.folder, note);
  if (outcome.ok && change.move !== undefined) await takeBackMove(options.folder, id);
  if (!outcome.ok && isNew) await forgetIfEmpty(id, options.folder);
  return toResult(id, outcome, started, notes);
}

/** The config after a change; throws where a runtime is not there or lacks something. */
export function changedConfig(
  file: StackFile,
  id: string,
  change: RuntimeChange,
  options: RuntimeOptions,
  existing: Existing,
): RuntimeConfig {
  if (existing === "must-exist" && !file.exists) {
    throw new Failure(
      `there is no runtime ${id} (no file ${file.file}); "stackyard runtime list" shows those there are`,
    );
  }
  const config = applyChange(readConfig(file), change, options.defaultPlatform);
  const missing = missingFlags(config);
  if (missing.length > 0) {
    throw new UsageError(
      `${id} is new, so ${missing.join(" and ")} must be given: the image tag to run, such as --version 0.50.0`,
    );
  }
  return config;
}

function isUnknownStack(outcome: Outcome): boolean {
  return !outcome.ok && /no stack named '.*' found/.test(outcome.stderr);
}

/** A permission to move is for one time; left in the file it would surprise somebody later. */
async function takeBackMove(folder: string, id: string): Promise<void> {
  const file = await StackFile.read(folder, id);
  file.setConfig(configKey("move"), undefined);
  await file.write();
}
