import * as fs from "node:fs";
import * as path from "node:path";
import { say } from "../bootstrap/progress";
import { writePrivateSync } from "../../foundation/wholeFile";
import type { Layout } from "./layout";
import { secretsKey, reencrypted, saltIn } from "./pulumiSecrets";

/**
 * The public passphrase of every local yard. Pulumi writes a passphrase's salt to the stack file; with the same
 * passphrase in all yards, the committed Pulumi.dev.yaml can include a matching salt, and running `pulumi` does not
 * change the file. The permissions of .yard/ protect the encrypted values, like the kubeconfig and the password next to
 * them.
 */
export const PASSPHRASE = "stackyard-local-yard";

/** Stack files and checkpoints that may be encrypted with the yard's passphrase. */
function candidates(root: string, layout: Layout): string[] {
  const stackFiles = [root, path.join(root, "runtime")].flatMap((folder) =>
    fs
      .readdirSync(folder)
      .filter((name) => /^Pulumi\..+\.yaml$/.test(name))
      .map((name) => path.join(folder, name)),
  );
  const stacks = path.join(layout.state, ".pulumi", "stacks");
  const states = fs.existsSync(stacks) ? fs.readdirSync(stacks, { recursive: true, encoding: "utf8" }) : [];
  return [...stackFiles, ...states.filter((name) => name.endsWith(".json")).map((name) => path.join(stacks, name))];
}

/**
 * Ensures that the yard uses the common passphrase. For an older yard with its own passphrase, all secrets in this
 * checkout's stack files and in the yard's state are encrypted again, all or none.
 */
export function ensurePassphrase(root: string, layout: Layout): void {
  const before = fs.existsSync(layout.passphrase) ? fs.readFileSync(layout.passphrase, "utf8").trim() : PASSPHRASE;
  if (before !== PASSPHRASE && !takeOver(root, layout, before)) return;
  writePrivateSync(layout.passphrase, `${PASSPHRASE}\n`);
}

function takeOver(root: string, layout: Layout, before: string): boolean {
  const salt = saltIn(fs.readFileSync(path.join(root, "Pulumi.dev.yaml"), "utf8"));
  const key = salt === undefined ? undefined : secretsKey(PASSPHRASE, salt);
  // An older Pulumi.dev.yaml, or one with the user's own salt.
  if (salt === undefined || key === undefined) return false;
  const keys = new Map<string, Buffer | undefined>();
  const changed: [string, string][] = [];
  for (const file of candidates(root, layout)) {
    const text = fs.readFileSync(file, "utf8");
    const own = saltIn(text);
    if (own === undefined || own === salt) continue;
    if (!keys.has(own)) keys.set(own, secretsKey(before, own));
    const from = keys.get(own);
    if (from === undefined) continue;
    try {
      changed.push([file, reencrypted(text, from, { key, salt })]);
    } catch (cause) {
      throw new Error(`${file} cannot be taken over to the passphrase of local yards`, { cause });
    }
  }
  // Keeps older copies of state and stack files readable.
  writePrivateSync(`${layout.passphrase}.before`, `${before}\n`);
  for (const [file, text] of changed) writePrivateSync(file, text);
  say(`  secrets of ${changed.length} stack files and states are now under the passphrase of all local yards`);
  return true;
}
