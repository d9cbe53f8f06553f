import { pulumi } from "../engine/pulumi";
import type { RuntimeChange } from "../stack/change";
import { StackFile } from "../stack/file";
import { RUNTIME_PROJECT } from "../stack/names";
import { openStore } from "../state/store";
import { changedConfig } from "./bring";
import { createStack } from "./create";
import { operate, toResult, type RuntimeOptions } from "./operate";
import { adoptSecrets, likelyKubernetes, platformFile, writeConfig } from "./project";
import type { Result } from "./result";

/**
 * Shows what bringing a runtime up would do. Leaves no trace: the stack file is not touched, and a stack that the engine
 * needed only for the preview is removed again.
 */
export async function previewUp(id: string, change: RuntimeChange, options: RuntimeOptions): Promise<Result> {
  const started = performance.now();
  const file = await StackFile.read(options.folder, id);
  const config = changedConfig(file, id, change, options, "may-be-new");
  writeConfig(file, config);
  const platform = await platformFile(options.root, config.platform);
  adoptSecrets(file, platform);

  const made = !(await exists(id, options.folder));
  if (made) await createStack(id, options.folder);
  const copy = await file.writeCopy();
  try {
    const notes: string[] = [];
    const running = { ...options, kubernetes: likelyKubernetes(platform, config.deployment) };
    const note = (text: string) => notes.push(text);
    const outcome = await operate("preview", id, running, note, ["--config-file", copy.file]);
    return toResult(id, outcome, started, notes);
  } finally {
    await copy.remove();
    if (made) await removeStack(id, options.folder, file.exists);
  }
}

async function exists(id: string, folder: string): Promise<boolean> {
  const store = await openStore(folder);
  try {
    return await store.exists(RUNTIME_PROJECT, id);
  } finally {
    await store.close();
  }
}

/** Making the stack may have made its file too; one that was there before stays. */
async function removeStack(id: string, folder: string, keepFile: boolean): Promise<void> {
  await pulumi(["stack", "rm", id, "--yes", ...(keepFile ? ["--preserve-config"] : [])], folder);
}
