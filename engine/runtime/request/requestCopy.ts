import type { RuntimeConfig } from "../../stack/change";
import { StackFile } from "../../stack/file";
import { pulumi } from "../../pulumi/pulumi";
import type { RuntimeOptions } from "../operate";
import type { Prepared } from "./prepare";
import { configKey, writeConfig } from "../project";
import { adoptSecrets, copySecrets, setSecrets } from "./secrets";
import { withoutAnnotations } from "./requests";

/** A stack file for one run of the engine, in a folder of its own. */
export interface RequestCopy {
  readonly file: string;
  /** Its text as it is now: the engine may have added how secrets are kept. */
  read(): Promise<StackFile>;
  remove(): Promise<void>;
}

/** Writes what a prepared request asks for where only this run sees it, so that a refused one leaves no trace. */
export async function writeRequest(id: string, prepared: Prepared, options: RuntimeOptions): Promise<RequestCopy> {
  const { config, base, file, state, secret } = prepared;
  const request = StackFile.of(file.exists ? file.text() : "{}", file.file);
  writeConfig(request, secret ? withoutAnnotations(config) : config);
  request.setConfig(configKey("base"), base);
  request.setConfig(configKey("command"), options.command ?? "runtime up");
  for (const key of ["adopt", "only", "operation"] as const) {
    if (options[key] !== undefined) request.setConfig(configKey(key), options[key]);
  }
  setSecrets(request, state?.secrets);
  await adoptSecrets(request, options.folder, config.platform);
  const copy = await request.writeCopy();
  if (secret) await sealAnnotations(id, copy.file, config, options.folder);
  return { ...copy, read: () => StackFile.readFile(copy.file) };
}

/** Which of the annotations was the secret one the state does not say, so all of them are encrypted. */
async function sealAnnotations(id: string, file: string, { deployment }: RuntimeConfig, folder: string) {
  const { annotations = {} } = deployment as { readonly annotations?: Readonly<Record<string, string>> };
  for (const [key, value] of Object.entries(annotations)) {
    const at = `${configKey("deployment")}.annotations[${JSON.stringify(key)}]`;
    const place = ["--secret", "--path", "--stack", id, "--config-file", file];
    await pulumi(["config", "set", at, ...place], folder, value);
  }
}

/**
 * Writes an accepted request into the stack file. What the file says otherwise than the state, and nobody asked to apply,
 * stays in it.
 */
export async function keepRequest(prepared: Prepared, accepted: RuntimeConfig, copy: StackFile): Promise<void> {
  const { file } = prepared;
  copySecrets(copy, file);
  const { platform, deployment } = accepted;
  file.setConfig(configKey("deployment"), prepared.secret ? copy.config(configKey("deployment")) : deployment);
  file.setConfig(configKey("platform"), platform);
  await file.write();
}
