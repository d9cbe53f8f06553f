import * as path from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Context } from "../context";
import { startOfChanges } from "../../engine/pulumi/eventFile";
import { refuseOthers } from "../lock/guard";
import { pulumiVisibly } from "./visible";
import { Failure } from "../../foundation/errors";
import type { Workspace } from "../../foundation/pulumi/backend";
import { guard } from "../../engine/process/interrupt";
import { setSecrets } from "../../engine/runtime/request/secrets";
import { maskSecrets } from "../../engine/pulumi/state/checkpoint";
import { withStore } from "../../engine/pulumi/state/store";
import { confirm } from "../terminal/ask";
import { StackFile } from "../../engine/stack/file";
import { PLATFORM_PROJECT } from "../../engine/stack/names";
import { unlock } from "../../engine/stack/unlock";

export interface DeployOptions {
  /** Skip the preview and the confirmation. */
  readonly yes?: boolean;
  /** Preview only. */
  readonly preview?: boolean;
}

/**
 * Deploys a platform stack with a changed stack file: previews, asks, and deploys from a copy of the file. The file
 * itself is written when the update starts its first change, so that it does not contain a change that was rejected or
 * interrupted before. Returns whether it was deployed.
 */
export async function deployChange(
  context: Context,
  stack: string,
  file: StackFile,
  question: string,
  { yes, preview }: DeployOptions,
): Promise<boolean> {
  return guard(async () => {
    const note = (text: string): void => context.live.line(`  ${text}`);
    await unlock({ project: PLATFORM_PROJECT, stack, workspace: context.platforms }, note);
    if (preview !== true) await refuseOthers(context, { project: PLATFORM_PROJECT, stack });
    const copy = await copyWithSecrets(context.platforms, stack, file);
    const place = ["--stack", stack, "--config-file", copy.file];
    try {
      if (yes !== true || preview === true) {
        const code = await pulumiVisibly(["preview", ...place], context.platforms);
        if (code !== 0) throw new Failure("the preview failed, so nothing was changed; its output is above");
        if (preview === true || !(await confirm(question))) return false;
      }
      await refuseOtherEdits(file);
      const events = path.join(path.dirname(copy.file), "events");
      const started = startOfChanges(events, () => file.write());
      const before = await made(context.platforms, stack);
      const up = ["up", "--yes", "--skip-preview", "--suppress-outputs", "--event-log", events];
      const code = await pulumiVisibly([...up, ...place], context.platforms);
      const began = await started.end();
      if (code === 0) await file.write();
      else
        throw new Failure(whatRemains(file, stack, began && !(await isUndone(context.platforms, stack, before, file))));
      return true;
    } finally {
      await copy.remove();
    }
  });
}

/**
 * Returns the provider resources in the state. Secrets are encrypted again by each update, so they are replaced by a
 * constant: no command changes one.
 */
async function made(workspace: Workspace, stack: string): Promise<unknown> {
  const state = await withStore(workspace, (store) => store.find(PLATFORM_PROJECT, stack));
  const own = (state?.resources ?? []).filter(({ type, custom }) => custom === true && !type.startsWith("pulumi:"));
  const described = own.map(({ urn, id, inputs, outputs, initErrors }) => [
    urn,
    maskSecrets([id, inputs, outputs, initErrors]),
  ]);
  return [state?.pending ?? 0, Object.fromEntries(described)];
}

/** Restores the file if the update changed nothing, because a rejected change is not kept. */
async function isUndone(workspace: Workspace, stack: string, before: unknown, file: StackFile): Promise<boolean> {
  return isDeepStrictEqual(await made(workspace, stack), before) && (await file.restore());
}

/** The file may have been edited during the question, and writing ours would overwrite that. */
async function refuseOtherEdits(file: StackFile): Promise<void> {
  if (await file.isAsRead()) return;
  throw new Failure(
    `${file.file} was changed by another process in the meantime; nothing was changed, run the command again`,
  );
}

function whatRemains({ file }: StackFile, stack: string, began: boolean): string {
  const said = "the update failed; its output is above";
  if (!began) return `${said}. Nothing was changed, and ${file} is unchanged`;
  return `${said}. ${file} keeps the change: continue with "pulumi up --stack ${stack}", or revert it there`;
}

/**
 * Copies the file. If it has no secrets provider, the copy gets the one from the state, because the engine would
 * otherwise add its own salt.
 */
export async function copyWithSecrets(
  workspace: Workspace,
  stack: string,
  file: StackFile,
): ReturnType<StackFile["writeCopy"]> {
  const copy = StackFile.of(file.text(), file.file);
  setSecrets(copy, (await withStore(workspace, (store) => store.find(PLATFORM_PROJECT, stack)))?.secrets);
  return copy.writeCopy();
}
