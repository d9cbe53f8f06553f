/** Interprets the status that Kyma's installer reports. Pure. */

import { listAt, textAt, type KubeObject } from "../../../kubernetes/objects/objects";
import { pendingAction } from "./objects";

type InstallProgress =
  | { readonly kind: "absent" }
  | { readonly kind: "idle" | "working" | "installed"; readonly description: string }
  /** `text` stays the same as long as the error does. */
  | { readonly kind: "error"; readonly description: string; readonly text: string };

const LINES = 3;

export function progressOf(installation: KubeObject | undefined): InstallProgress {
  if (!installation) return { kind: "absent" };
  const state = textAt(installation, "status", "state");
  const description = textAt(installation, "status", "description") ?? "";
  // Until the installer removes the label, the status is from the previous run.
  if (pendingAction(installation) === "install") return { kind: "working", description: "the installer begins" };
  if (state === "Installed") return { kind: "installed", description };
  if (state === "InProgress") return { kind: "working", description };
  if (state === "Error") return { kind: "error", description, text: errorText(installation, description) };
  return { kind: "idle", description };
}

function errorText(installation: KubeObject, description: string): string {
  const log = listAt(installation, "status", "errorLog").map((entry) => {
    const lines = (textAt(entry, "log") ?? "").trim().split("\n").slice(0, LINES).join(" ");
    const times = Number(entry["occurrences"] ?? 1);
    return `${textAt(entry, "component") ?? "a component"}: ${lines}${times > 1 ? ` (${times} times)` : ""}`;
  });
  return [description, ...log].filter((part) => part !== "").join("; ");
}
