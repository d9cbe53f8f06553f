/** Interprets what Lifecycle Manager reports of a Kyma. Pure. */

import { at, listAt, numberAt, textAt, type KubeObject } from "../../../kubernetes/objects/objects";
import type { KymaModule, ModulesInputs } from "./inputs";

export interface Progress {
  /** `error`: Lifecycle Manager tries again, so only one that does not change is final. */
  readonly kind: "done" | "working" | "error";
  /** What is missing; with `done`, what a user should look at. Stays the same as long as an error does. */
  readonly text: string;
}

/** A module that is not managed has no other state. */
const READY = ["Ready", "Unmanaged"];
/** The module works, and waits for its user. */
const WARNING = "Warning";
/** The condition of all modules, also of those that users have added. */
const MODULES = "Modules";

const named = (one: object): string => textAt(one, "name") ?? "";
const stateOf = (one: object | undefined): string => textAt(one, "state") ?? "";
const stateText = (one: object): string =>
  [named(one), stateOf(one), textAt(one, "message")].filter(Boolean).join(": ");
const joined = (parts: readonly object[]): string => parts.map(stateText).join("; ");

/** `removed`: modules that were ours, and have to be gone. */
export function modulesProgress(
  kyma: KubeObject,
  wanted: Pick<ModulesInputs, "channel" | "modules">,
  removed: readonly string[] = [],
): Progress {
  const state = textAt(kyma, "status", "state");
  if (state === undefined) return working("Lifecycle Manager has not reported anything yet; is it running?");
  const all = listAt(kyma, "status", "modules");
  const ours = new Set([...wanted.modules.map(({ name }) => name), ...removed]);
  const failed = all.filter((one) => stateOf(one) === "Error");
  const ourFailed = all.filter((one) => (failed.includes(one) && ours.has(named(one))) || isHeldBack(one, wanted));
  if (ourFailed.length > 0) return { kind: "error", text: joined(ourFailed) };
  if (state === "Error" && failed.length === 0) {
    return { kind: "error", text: textAt(kyma, "status", "lastOperation", "operation") ?? "no reason given" };
  }
  // The status may still be that of an earlier request.
  const conditions = listAt(kyma, "status", "conditions");
  const seen = Math.max(0, ...conditions.map((one) => numberAt(one, "observedGeneration") ?? 0));
  if (seen < (kyma.metadata.generation ?? 0)) return working("Lifecycle Manager has not seen the change yet");
  const open = [
    ...openOf(all, wanted),
    ...removed.filter((name) => entry(all, name)).map((name) => `${name}: being removed`),
  ];
  if (open.length > 0) return working(open.join("; "));
  const unmet = conditions.filter((one) => one["type"] !== MODULES && one["status"] !== "True");
  if (unmet.length > 0) return working(unmet.map((one) => textAt(one, "message") ?? textAt(one, "type")).join("; "));
  const noted = all.filter((one) => !READY.includes(stateOf(one)) || at(one, "maintenance") === true);
  return { kind: "done", text: joined(noted) };
}

const working = (text: string): Progress => ({ kind: "working", text });

const entry = (all: readonly object[], name: string) => all.find((one) => named(one) === name);

const isOther = (one: object, { name, channel, managed = true }: KymaModule, common: string): boolean =>
  named(one) === name && managed && textAt(one, "channel") !== (channel ?? common);

/** Whether Lifecycle Manager refuses the requested channel, as of one with an older version than is installed. */
const isHeldBack = (one: object, { channel, modules }: Pick<ModulesInputs, "channel" | "modules">): boolean =>
  stateOf(one) === WARNING && modules.some((wanted) => isOther(one, wanted, channel));

/** What of the requested modules is not installed yet. */
function openOf(all: readonly object[], { channel, modules }: Pick<ModulesInputs, "channel" | "modules">): string[] {
  return modules.flatMap((wanted) => {
    const found = entry(all, wanted.name);
    if (found === undefined) return [`${wanted.name}: not begun`];
    // The new version comes with the next maintenance window.
    if (at(found, "maintenance") === true) return [];
    if (isOther(found, wanted, channel)) return [`${wanted.name}: not in its channel yet`];
    return [...READY, WARNING].includes(stateOf(found)) ? [] : [stateText(found)];
  });
}

/** Versions that are installed, by module. */
export const versionsIn = (kyma: KubeObject | undefined): Record<string, string> =>
  Object.fromEntries(listAt(kyma, "status", "modules").map((one) => [named(one), textAt(one, "version") ?? ""]));

/** What a deletion waits for. */
export const leftIn = (kyma: KubeObject | undefined): string => {
  const left = joined(listAt(kyma, "status", "modules"));
  return left === "" ? (textAt(kyma, "status", "lastOperation", "operation") ?? "nothing is reported") : left;
};
