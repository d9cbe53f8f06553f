import { pulumi } from "../engine/pulumi";
import type { RuntimeChange } from "../stack/change";
import { StackFile } from "../stack/file";
import { RUNTIME_PROJECT } from "../stack/names";
import { withStore } from "../state/store";
import { changedConfig } from "./bring";
import { createStack } from "./create";
import { operate, toResult, type RuntimeOptions } from "./operate";
import { likelyKubernetes, platformFile, writeConfig } from "./project";
import type { Result } from "./result";
import { adoptSecrets } from "./secrets";

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
  await adoptSecrets(file, options.folder, config.platform);

  const made = !(await withStore(options.folder, (store) => store.exists(RUNTIME_PROJECT, id)));
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

/** Making the stack may have made its file too; one that was there before stays. */
async function removeStack(id: string, folder: string, keepFile: boolean): Promise<void> {
  await pulumi(["stack", "rm", id, "--yes", ...(keepFile ? ["--preserve-config"] : [])], folder);
}
