/** ProvisionerRegistration: a Kubernetes provisioner of a platform. Makes nothing; it sees to it that none in use goes. */

import { changesBetween } from "../framework/changes";
import { InputCheck } from "../framework/inputs";
import { hasUnknown } from "../framework/resource";
import type { Context, ResourceHandler } from "../framework/resource";
import { howToRemove, mayBeRemoved } from "./allowance";
import type { Registered } from "./runtimes";

export interface RegistrationInputs extends Registered {
  readonly kubeconfig?: string;
  readonly context?: string;
}

const KNOWN = ["kubeconfig", "context", "platform", "provisioner", "namespace", "alone"];

// What talks to clusters is loaded when there is something to do.
const work = () => import("./ask.js");

export const registration: ResourceHandler<RegistrationInputs, RegistrationInputs> = {
  secretProperties: ["kubeconfig"],

  check(_context, given) {
    const inputs = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
    const check = new InputCheck();
    check.keys("", inputs, KNOWN);
    if (inputs["kubeconfig"] !== undefined) {
      check.secret("kubeconfig", inputs["kubeconfig"], "a kubeconfig as YAML text", (text) => text !== "");
    }
    if (inputs["context"] !== undefined) {
      check.text("context", inputs["context"], "the name of a context of the kubeconfig");
    }
    check.text("platform", inputs["platform"], "a stack as organization/project/stack");
    check.text("provisioner", inputs["provisioner"], "the name of the provisioner");
    check.text("namespace", inputs["namespace"], "the namespace of its runtimes");
    check.flag("alone", inputs["alone"]);
    return Promise.resolve({ inputs, failures: check.failures });
  },

  diff(_context, _id, old, inputs) {
    return Promise.resolve({ changes: changesBetween(old.inputs, inputs) });
  },

  create(_context, inputs) {
    return Promise.resolve({ id: `${inputs.platform}/${inputs.provisioner}`, state: inputs });
  },

  read(_context, id, old) {
    if (typeof old.inputs.provisioner !== "string") {
      throw new Error(
        `${id} cannot be imported: a registration is what the program says; bring the platform up instead`,
      );
    }
    return Promise.resolve({ inputs: old.inputs, state: old.state });
  },

  async update(context, _id, old, inputs) {
    await warnOfMove(context, old.inputs, inputs);
    return inputs;
  },

  async delete(context, _id, old) {
    const { provisioner } = old.inputs;
    if (mayBeRemoved(provisioner)) return;
    const { deploymentsAt, listed } = await work();
    const ids = await deploymentsAt(context, old.inputs).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(
        `nobody knows which deployments are with provisioner ${provisioner}: ${why}. ${howToRemove(provisioner)}`,
      );
    });
    if (ids.length === 0) return;
    throw new Error(
      `provisioner ${provisioner} cannot be removed while it has ${listed(ids)}. ${howToRemove(provisioner)}`,
    );
  },
};

/** Runtimes stay where they are, and only an explicit move takes them along. */
async function warnOfMove(context: Context, old: RegistrationInputs, next: RegistrationInputs): Promise<void> {
  const ways = ["kubeconfig", "context", "namespace"] as const;
  if (hasUnknown(next) || ways.every((key) => old[key] === next[key])) return;
  const { deploymentsAt, isSamePlace, listed } = await work();
  try {
    if (await isSamePlace(context, old, next)) return;
    const ids = await deploymentsAt(context, old);
    if (ids.length === 0) return;
    context.log(
      "warning",
      `provisioner ${next.provisioner} gets another place, and its runtimes stay where they are until they are moved ` +
        `(stackyard runtime up ID --move; data is not copied): ${listed(ids)}`,
    );
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    context.log("warning", `nobody knows which runtimes are at the former place of ${next.provisioner}: ${why}`);
  }
}
