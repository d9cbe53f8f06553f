/**
 * ProvisionerRegistration: a provisioner that is not in a ledger. Creates nothing; it prevents the removal of a
 * provisioner that is in use.
 */

import { isDeepStrictEqual } from "node:util";
import { changesBetween } from "../../../foundation/pulumi/changes";
import { InputCheck } from "../../../foundation/pulumi/inputCheck";
import { hasUnknown, UNKNOWN, type Context, type ResourceHandler } from "../../../foundation/pulumi/resource";
import { howToRemove, mayBeRemoved } from "../../removalAllowance";
import { isOnServer, allowanceKey, type Registered, type RegisteredState, registrationTitle } from "./registered";
import { secretsOf } from "../../framework/resourceSchema";
import { schema } from "./provisionerRegistrationSchema";

const KNOWN = ["platform", "provisioner", "gives", "alone"];
const IN_CLUSTER = ["kubeconfig", "context", "namespace"] as const;
const GIVEN_IN_CLUSTER: ReadonlySet<string> = new Set(["clickhouse", "cluster"]);
const WAYS = ["url", ...IN_CLUSTER] as const;

// The code that connects to clusters is loaded on demand.
const work = () => import("./ask.js");

export const registration: ResourceHandler<Registered, RegisteredState> = {
  secretProperties: secretsOf(schema),

  check(_context, given) {
    const inputs = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
    const check = new InputCheck(secretsOf(schema));
    const onServer = inputs["url"] !== undefined;
    check.keys("", inputs, [...KNOWN, ...(onServer ? ["url"] : IN_CLUSTER)]);
    if (onServer) check.text("url", inputs["url"], "the URL of a ClickHouse server", (text) => text !== "");
    if (onServer) check.text("gives", inputs["gives"], "clickhouse", (text) => text === "clickhouse");
    else if (inputs["gives"] !== undefined) {
      check.text("gives", inputs["gives"], "clickhouse or cluster", (text) => GIVEN_IN_CLUSTER.has(text));
    }
    if (inputs["kubeconfig"] !== undefined) {
      check.text("kubeconfig", inputs["kubeconfig"], "a kubeconfig as YAML text", (text) => text !== "");
    }
    if (inputs["context"] !== undefined) {
      check.text("context", inputs["context"], "the name of a context of the kubeconfig");
    }
    check.text("platform", inputs["platform"], "a stack as organization/project/stack");
    check.text("provisioner", inputs["provisioner"], "the name of the provisioner");
    if (!onServer) check.text("namespace", inputs["namespace"], "the namespace of what deployments get from it");
    check.flag("alone", inputs["alone"]);
    return Promise.resolve({ inputs, failures: check.failures });
  },

  async diff(context, _id, old, inputs) {
    const changes = changesBetween(old.inputs, inputs);
    if (Object.keys(changes).length > 0) return { changes };
    const { clusterUid } = await identified(context, inputs, old.state);
    return { changes: clusterUid === old.state.clusterUid ? {} : { clusterUid: "update" } };
  },

  async create(context, inputs) {
    const id = `${inputs.platform}/${allowanceKey(inputs)}`;
    return { id, state: await identified(context, inputs, undefined) };
  },

  async read(context, id, old) {
    if (typeof old.inputs.provisioner !== "string") {
      throw new Error(`${id} cannot be imported: a registration comes from the program; update the platform instead`);
    }
    return { inputs: old.inputs, state: await identified(context, old.inputs, old.state) };
  },

  async update(context, _id, old, inputs) {
    if (isRemoval(old.inputs, inputs)) await refuseRemoval(context, old.state, inputs);
    else await warnOfMove(context, old.state, inputs);
    return identified(context, inputs, isDeepStrictEqual(waysOf(old.inputs), waysOf(inputs)) ? old.state : undefined);
  },

  async delete(context, _id, old) {
    await refuseRemoval(context, old.state);
  },
};

/** With the UID of its cluster or garden. Throws if its way leads to another one than before. */
async function identified(
  context: Context,
  inputs: Registered,
  state: RegisteredState | undefined,
): Promise<RegisteredState> {
  if (isOnServer(inputs)) return inputs;
  const clusterUid = hasUnknown(inputs) ? UNKNOWN : await (await work()).uidAt(context, inputs, state);
  return clusterUid === undefined ? inputs : { ...inputs, clusterUid };
}

/** Clusters can't move, so another project counts as a removal, and so does another type. */
const isRemoval = (old: Registered, next: Registered): boolean => "cluster" === old.gives || old.gives !== next.gives;

/** Throws if deployments use a provisioner that is removed or gets another place. */
async function refuseRemoval(context: Context, old: RegisteredState, next?: Registered): Promise<void> {
  const [key, title] = [allowanceKey(old), registrationTitle(old)];
  if (mayBeRemoved(key)) return;
  if (next !== undefined && (hasUnknown(next) || isDeepStrictEqual(waysOf(old), waysOf(next)))) return;
  const { deploymentsAt, isSamePlace, listed } = await work();
  const found = async () =>
    next !== undefined && (await isSamePlace(context, old, next)) ? [] : await deploymentsAt(context, old);
  const ids = await found().catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`it is unknown which deployments use ${title}: ${why}. ${howToRemove(key)}`);
  });
  if (ids.length === 0) return;
  const what = next === undefined ? "be removed" : "get another place or type";
  throw new Error(`${title} cannot ${what} while it has ${listed(ids)}. ${howToRemove(key)}`);
}

const waysOf = (registered: Partial<Record<(typeof WAYS)[number] | "gives", string>>) =>
  [...WAYS, "gives" as const].map((key) => registered[key]);

/** Warns that existing resources stay where they are; only a runtime can move, on request. */
async function warnOfMove(context: Context, old: RegisteredState, next: Registered): Promise<void> {
  if (hasUnknown(next) || isDeepStrictEqual(waysOf(old), waysOf(next))) return;
  const { deploymentsAt, isSamePlace, listed } = await work();
  try {
    if (await isSamePlace(context, old, next)) return;
    const ids = await deploymentsAt(context, old);
    if (ids.length === 0) return;
    context.log("warning", `${registrationTitle(next)} gets another place, and ${staying(next)}: ${listed(ids)}`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    context.log(
      "warning",
      `it is unknown which deployments are at the former place of ${registrationTitle(next)}: ${why}`,
    );
  }
}

function staying(next: Registered): string {
  if (isOnServer(next)) return "data is not copied, so updates of its deployments are refused until it has the old one";
  if (next.gives === "clickhouse") return "its clusters stay where they are; data is not copied";
  return "its runtimes stay where they are until they are moved (stackyard runtime up ID --move; data is not copied)";
}
