import type { RuntimeConfig } from "../stack/change";
import { StackFile } from "../stack/file";
import { pulumi } from "../engine/pulumi";
import type { RuntimeOptions } from "./operate";
import type { Prepared } from "./prepare";
import { configKey, writeConfig } from "./project";
import { adoptSecrets, copySecrets, setSecrets } from "./secrets";

/** A stack file for one run of the engine, in a folder of its own. */
export interface WishCopy {
  readonly file: string;
  /** Its text as it is now: the engine may have added how secrets are kept. */
  read(): Promise<StackFile>;
  remove(): Promise<void>;
}

/** Writes what a prepared request asks for where only this run sees it, so that a refused one leaves no trace. */
export async function writeWish(id: string, prepared: Prepared, options: RuntimeOptions): Promise<WishCopy> {
  const { config, base, file, state, secret } = prepared;
  const wish = StackFile.of(file.exists ? file.text() : "{}", file.file);
  writeConfig(wish, secret ? { ...config, deployment: undefined } : config);
  wish.setConfig(configKey("base"), base);
  wish.setConfig(configKey("command"), options.command ?? "runtime up");
  setSecrets(wish, state?.secrets);
  await adoptSecrets(wish, options.folder, config.platform);
  const copy = await wish.writeCopy();
  if (secret) await writeSecretDeployment(id, copy.file, config, options.folder);
  return { ...copy, read: () => StackFile.readFile(copy.file) };
}

function writeSecretDeployment(id: string, file: string, { deployment }: RuntimeConfig, folder: string) {
  const place = ["--secret", "--stack", id, "--config-file", file];
  return pulumi(["config", "set", configKey("deployment"), ...place], folder, JSON.stringify(deployment));
}

/**
 * Writes an accepted request into the stack file. What the file says otherwise than the state, and nobody asked to apply,
 * stays in it.
 */
export async function keepWish(prepared: Prepared, accepted: RuntimeConfig, copy: StackFile): Promise<void> {
  const { file } = prepared;
  copySecrets(copy, file);
  const { platform, deployment } = accepted;
  if (prepared.secret) {
    if (!file.exists) file.setConfig(configKey("deployment"), copy.config(configKey("deployment")));
  } else {
    file.setConfig(configKey("deployment"), deployment);
  }
  file.setConfig(configKey("platform"), platform);
  await file.write();
}
