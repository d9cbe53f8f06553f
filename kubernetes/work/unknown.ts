import type { Context } from "../../foundation/pulumi/resource";
import { UNKNOWN_TO_USER } from "../../foundation/text/unknown";
import { isForbidden } from "../client/apiError";
import type { Ref } from "../objects/objects";
import { explain } from "./faults";

const LACKING = /User "([^"]*)" cannot (\w+) resource "([^"]+)" in API group "([^"]*)"/;
const LATER = "An update needs these rights, and checks everything before it changes anything";

/** What a preview or refresh leaves open, because the user of the kubeconfig lacks the rights to find it out. */
export class Unknown {
  /** Resources by verb, such as `deployments.apps` by `patch`. */
  readonly #lacking = new Map<string, Set<string>>();
  readonly #refused: string[] = [];
  #mayWrite = false;

  /** `as`: the impersonated user. What that one may not do would fail the update, so it is not left open. */
  constructor(private readonly as?: string) {}

  /** Whether the error only says that the user of the kubeconfig lacks a right. Quotas and policies answer 403 too. */
  note(error: unknown, ref?: Ref): boolean {
    if (!isForbidden(error)) return false;
    const [, user, verb = "", resource = "", group = ""] = LACKING.exec(error.message) ?? [];
    if (user === undefined || user === this.as) return false;
    this.add(verb, resource, group);
    if (ref !== undefined) this.#refused.push(explain(error, ref));
    return true;
  }

  /** The answer, or "unknown", which it logs, if the user of the kubeconfig lacks the right to get it. */
  async ask<T>(work: Promise<T>, log: Context["log"]): Promise<T | "unknown"> {
    try {
      return await work;
    } catch (error) {
      if (!this.note(error)) throw error;
      this.log(log);
      return "unknown";
    }
  }

  add(verb: string, resource: string, group: string): void {
    const resources = this.#lacking.get(verb) ?? new Set();
    this.#lacking.set(verb, resources.add(group === "" ? resource : `${resource}.${group}`));
  }

  /** The API server has accepted a dry run. */
  noteWrite(): void {
    this.#mayWrite = true;
  }

  /** Faults for a user who may write a part of the objects: that one updates, and would fail at the others. */
  get faults(): readonly string[] {
    return this.#mayWrite ? this.#refused : [];
  }

  /** Reports what was left open, if anything. */
  log(log: Context["log"]): void {
    const rights = [...this.#lacking].sort().map(([verb, resources]) => `${verb} ${[...resources].sort().join(", ")}`);
    if (rights.length > 0) log("warning", `${UNKNOWN_TO_USER} not ${rights.join("; ")}. ${LATER}`);
  }
}
