import * as fs from "node:fs";
import * as path from "node:path";
import { say } from "../bootstrap/progress";
import { writePrivateSync } from "../../foundation/wholeFile";
import type { Layout } from "./layout";
import { keyOf, reencrypted, saltIn } from "./pulumiSecrets";

/**
 * Of every local yard, and public. Pulumi writes the salt of a passphrase into the stack file; one passphrase for all yards
 * lets the committed Pulumi.dev.yaml include a salt that fits, so that no `pulumi` manually changes the file. What it
 * encrypts is protected by the permissions of .yard/, like the kubeconfig and the password that lie there as they are.
 */
export const PASSPHRASE = "stackyard-local-yard";

/** Stack files and checkpoints that may have been encrypted with the yard's passphrase. */
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
 * Sees to it that the yard has the passphrase of all yards. One made before has a passphrase of its own: what is encrypted
 * with that is encrypted again, in this checkout's stack files and in the yard's state, all of it or nothing.
 */
export function ensurePassphrase(root: string, layout: Layout): void {
  const before = fs.existsSync(layout.passphrase) ? fs.readFileSync(layout.passphrase, "utf8").trim() : PASSPHRASE;
  if (before !== PASSPHRASE && !takeOver(root, layout, before)) return;
  writePrivateSync(layout.passphrase, `${PASSPHRASE}\n`);
}

function takeOver(root: string, layout: Layout, before: string): boolean {
  const salt = saltIn(fs.readFileSync(path.join(root, "Pulumi.dev.yaml"), "utf8"));
  const key = salt === undefined ? undefined : keyOf(PASSPHRASE, salt);
  // An older Pulumi.dev.yaml, or one with a salt of somebody's own.
  if (salt === undefined || key === undefined) return false;
  const keys = new Map<string, Buffer | undefined>();
  const changed: [string, string][] = [];
  for (const file of candidates(root, layout)) {
    const text = fs.readFileSync(file, "utf8");
    const own = saltIn(text);
    if (own === undefined || own === salt) continue;
    if (!keys.has(own)) keys.set(own, keyOf(before, own));
    const from = keys.get(own);
    if (from === undefined) continue;
    try {
      changed.push([file, reencrypted(text, from, { key, salt })]);
    } catch (cause) {
      throw new Error(`${file} cannot be taken over to the passphrase of local yards`, { cause });
    }
  }
  // State and stack files of a moment ago stay readable.
  writePrivateSync(`${layout.passphrase}.before`, `${before}\n`);
  for (const [file, text] of changed) writePrivateSync(file, text);
  say(`  secrets of ${changed.length} stack files and states are now under the passphrase of all local yards`);
  return true;
}
