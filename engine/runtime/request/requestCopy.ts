import type { Workspace } from "../../../foundation/pulumi/backend";
import type { RuntimeConfig } from "../../stack/change";
import { StackFile } from "../../stack/file";
import { pulumi } from "../../pulumi/pulumi";
import type { RuntimeOptions } from "../operate";
import type { Prepared } from "./prepare";
import { configKey, writeConfig } from "../project";
import { adoptSecrets, copySecrets, setSecrets } from "./secrets";
import { withoutAnnotations } from "./requests";

/** A temporary stack file for one run of the engine. */
interface RequestCopy {
  readonly file: string;
  /** Reads its current content. The engine may have added its secrets provider. */
  read(): Promise<StackFile>;
  remove(): Promise<void>;
}

/**
 * Writes a prepared request to a temporary file that only this run uses, so that a rejected request leaves no trace.
 */
export async function writeRequest(id: string, prepared: Prepared, options: RuntimeOptions): Promise<RequestCopy> {
  const { config, base, file, state, secret } = prepared;
  const request = StackFile.of(file.exists ? file.text() : "{}", file.file);
  writeConfig(request, secret ? withoutAnnotations(config) : config);
  // The program refuses a file that is left from a destroyed runtime; this request is a new one.
  request.setConfig(configKey("deployed"), undefined);
  request.setConfig(configKey("base"), base);
  request.setConfig(configKey("command"), options.command ?? "runtime up");
  for (const key of ["adopt", "disk", "only", "operation"] as const) {
    if (options[key] !== undefined) request.setConfig(configKey(key), options[key]);
  }
  setSecrets(request, state?.secrets);
  await adoptSecrets(request, options.runtimes, config.platform);
  const copy = await request.writeCopy();
  if (secret) await sealAnnotations(id, copy.file, config, options.runtimes);
  return { ...copy, read: () => StackFile.readFile(copy.file) };
}

/** The state does not record which annotation is the secret one, so all of them are encrypted. */
async function sealAnnotations(id: string, file: string, { deployment }: RuntimeConfig, workspace: Workspace) {
  const { annotations = {} } = deployment as { readonly annotations?: Readonly<Record<string, string>> };
  for (const [key, value] of Object.entries(annotations)) {
    const at = `${configKey("deployment")}.annotations[${JSON.stringify(key)}]`;
    const place = ["--secret", "--path", "--stack", id, "--config-file", file];
    await pulumi(["config", "set", at, ...place], workspace, value);
  }
}

/** Writes an accepted request to the stack file. Differences of the file that were not applied stay in it. */
export async function keepRequest(
  id: string,
  prepared: Prepared,
  accepted: RuntimeConfig,
  copy: StackFile,
): Promise<void> {
  const { file } = prepared;
  copySecrets(copy, file);
  const { platform, deployment } = accepted;
  file.setConfig(configKey("deployment"), prepared.secret ? copy.config(configKey("deployment")) : deployment);
  file.setConfig(configKey("platform"), platform);
  file.setConfig(configKey("deployed"), id);
  if (prepared.left !== undefined) file.setConfig(configKey("move"), undefined);
  await file.write();
}
