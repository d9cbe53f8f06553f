/** StaticPool: the hosts of a pool, stored in the ledger. */

import { changesBetween } from "../../../foundation/pulumi/changes";
import { noteInstance, replacedInstance } from "../../framework/replaced";
import { isObject } from "../../../foundation/json/isObject";
import { withoutNulls } from "../../../foundation/json/withoutUndefined";
import type { InputCheck } from "../../../foundation/pulumi/inputCheck";
import { UNKNOWN, hasUnknown } from "../../../foundation/pulumi/resource";
import type { Context, Properties, ResourceHandler } from "../../../foundation/pulumi/resource";
import { instanceOf, ownerIdOf } from "../../../kubernetes/identity/ownerId";
import { isOfSameStack, ownerText, requireOwner } from "../../../kubernetes/owners/judge";
import { stackOf } from "../../../kubernetes/owners/record";
import { keptText } from "../../../kubernetes/remove/keptObjects";
import { ledgerOptions } from "../../ledger/options";
import { isUnowned, poolThing, ownerRecordOf } from "../../ledger/owners/rows";
import type { PoolClaimant } from "../../ledger/owners/pool";
import type { PoolHost } from "../../ledger/pools";
import { mayBeRemoved } from "../../removalAllowance";
import { isLedgerUrl, ledgerForImport, LEDGER_URL } from "../../ledger/urls";
import { checkInputs, secretsOf, type InputRules } from "../../framework/resourceSchema";
import { schema } from "./staticPoolSchema";

export interface PoolInputs {
  readonly ledgerUrl: string;
  readonly pool: string;
  readonly hosts: readonly PoolHost[];
  /** Id of this resource, chosen before it is created. Pools of earlier releases have none. */
  readonly instance?: string;
}

export interface PoolState extends PoolInputs {
  readonly ownerId?: string;
  readonly generation?: number;
  /** The engine stopped in the middle of an update, see engine/pulumi/state/pending.ts. */
  readonly interrupted?: true;
}

// The driver is loaded on demand: most updates only check for changes.
const ledger = () => import("../../ledger/pools.js");
const registration = () => import("./registerPool.js");
const use = () => import("../../functions/readPools.js");

const RULES: InputRules = {
  ledgerUrl: [LEDGER_URL, isLedgerUrl],
  pool: ["the name of a pool: <platform stack>/<provisioner>"],
  hosts: checkHosts,
};

export const staticPool: ResourceHandler<PoolInputs, PoolState> = {
  secretProperties: secretsOf(schema),

  check(context, given, origin) {
    const instance = instanceOf(origin);
    const known = origin?.old["instance"];
    if (typeof known === "string") noteInstance(context, known);
    const { inputs, failures } = checkInputs(schema, { ...given, hosts: completed(given["hosts"]) }, RULES);
    return Promise.resolve({ inputs: instance === undefined ? inputs : { ...inputs, instance }, failures });
  },

  diff(_context, _id, old, inputs) {
    return Promise.resolve({ changes: changesBetween(old.inputs, inputs, ["pool"]) });
  },

  async create(context, inputs) {
    const claimant = claimantOf(context, { inputs });
    const state = await register(context, inputs, claimant);
    if (!context.preview) noteInstance(context, claimant.owner);
    return { id: inputs.pool, state };
  },

  async read(context, id, old) {
    const known = old.inputs.ledgerUrl ?? old.state.ledgerUrl;
    const ledgerUrl = typeof known === "string" ? known : ledgerForImport(id);
    const { readPool } = await ledger();
    const found = await readPool(ledgerUrl, id, ledgerOptions(context));
    if (!found) return undefined;
    const { hosts, row } = found;
    const inputs = { ledgerUrl, pool: id, hosts };
    const isImport = typeof old.inputs.pool !== "string";
    const claimant = claimantOf(context, isImport ? { inputs } : old);
    const record = ownerRecordOf(row);
    const isOwned = !isUnowned(row);
    if (isOwned && isImport) {
      // An import is for a state that was lost: the owner is the same stack, or the pool was offered to it.
      const adopts = isOfSameStack(record, claimant) ? record.owner : undefined;
      requireOwner(record, { ...claimant, adopts }, poolThing(id));
    } else if (isOwned && record.owner !== claimant.owner) {
      context.log("warning", `pool ${id} is not read, because it belongs to ${ownerText(record)}`);
      return old;
    }
    const { readPools } = await use();
    const { warnings } = await readPools(context, { ledgerUrl, pools: { [id]: hosts } });
    for (const warning of warnings) context.log("warning", warning);
    const instance = isImport && isOwned ? record.owner : old.inputs.instance;
    const read = { ...inputs, ...(instance === undefined ? {} : { instance }) };
    return { inputs: read, state: isOwned ? { ...read, ownerId: record.owner, generation: record.generation } : read };
  },

  async update(context, _id, old, inputs) {
    return register(context, inputs, claimantOf(context, old));
  },

  async delete(context, id, old) {
    const { removePool } = await ledger();
    const provisioner = id.slice(id.lastIndexOf("/") + 1);
    const options = { ...ledgerOptions(context), withAllocations: mayBeRemoved(provisioner) };
    const { lost, other } = await removePool(old.inputs.ledgerUrl, id, claimantOf(context, old), options);
    if (lost !== undefined) context.log("warning", `${lost}: they lost their slots in pool ${id}`);
    // Its replacement has taken the pool over in this run.
    if (other === undefined || other.owner === replacedInstance(context)) return;
    context.log("warning", keptText(poolThing(id).title, `it belongs to ${ownerText(other)}`));
  },
};

/** `old`: without a state, of a pool that is created. */
function claimantOf(
  context: Pick<Context, "urn" | "backend" | "signal">,
  { inputs, state }: { readonly inputs: PoolInputs; readonly state?: PoolState },
): PoolClaimant {
  const replaces = state === undefined ? replacedInstance(context) : undefined;
  return {
    ...stackOf(context),
    owner: inputs.instance ?? ownerIdOf(context.urn, inputs.pool, state ?? {}),
    generation: state?.generation ?? 0,
    ...(replaces !== undefined && { replaces }),
    ...(state?.hosts !== undefined && { has: state.hosts.map(({ host }) => host) }),
    ...(state?.interrupted === true && { interrupted: true }),
  };
}

async function register(context: Context, inputs: PoolInputs, claimant: PoolClaimant): Promise<PoolState> {
  const state = { ...inputs, ownerId: claimant.owner };
  if (hasUnknown(inputs)) return state; // Only a preview has unknown values; the update checks again.
  const { registerPool } = await registration();
  const options = { ...ledgerOptions(context), dryRun: context.preview };
  const { ledgerUrl, pool, hosts } = inputs;
  const { warnings, generation } = await registerPool(ledgerUrl, pool, hosts, claimant, options);
  for (const warning of warnings) context.log("warning", warning);
  return context.preview ? state : { ...state, generation };
}

/** Returns the hosts with their defaults. */
const completed = (hosts: unknown): unknown =>
  Array.isArray(hosts)
    ? hosts.map((host: unknown) => (isObject(host) ? { weight: 1, drain: false, ...withoutNulls(host) } : host))
    : hosts;

function checkHosts(check: InputCheck, hosts: unknown): void {
  if (!Array.isArray(hosts) || hosts.length === 0) return check.fail("hosts", hosts, "a list of one host or more");
  const seen = new Map<unknown, number>();
  hosts.forEach((host: unknown, index) => {
    const path = `hosts[${index}]`;
    if (host === UNKNOWN) return;
    if (!isObject(host)) return check.fail(path, host, "an object with host, slots, dataDir and audienceUrl");
    checkHost(check, path, host);
    const first = seen.get(host["host"]);
    if (first !== undefined && host["host"] !== UNKNOWN) {
      check.fail(`${path}.host`, host["host"], `each host once; it is hosts[${first}] already`);
    }
    seen.set(host["host"], index);
  });
}

function checkHost(check: InputCheck, path: string, host: Properties): void {
  check.keys(path, host, ["host", "slots", "dataDir", "audienceUrl", "weight", "drain"]);
  check.text(`${path}.host`, host["host"], "the URL of a runtime, such as https://runtime-1.example.org", isHttpUrl);
  check.count(`${path}.slots`, host["slots"]);
  check.text(`${path}.dataDir`, host["dataDir"], "a directory for data");
  check.text(`${path}.audienceUrl`, host["audienceUrl"], "a URL, such as https://runtime-1.example.org", isHttpUrl);
  check.positive(`${path}.weight`, host["weight"]);
  check.flag(`${path}.drain`, host["drain"]);
}

const isHttpUrl = (text: string): boolean => /^https?:\/\/\S+$/.test(text) && URL.canParse(text);
