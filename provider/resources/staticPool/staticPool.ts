/** StaticPool: the hosts of a pool, stored in the ledger. */

import { changesBetween } from "../../framework/changes";
import { InputCheck } from "../../../foundation/pulumi/inputCheck";
import { UNKNOWN, hasUnknown } from "../../../foundation/pulumi/resource";
import type { Context, Properties, ResourceHandler } from "../../../foundation/pulumi/resource";
import { ledgerOptions } from "../../ledger/options";
import type { PoolHost } from "../../ledger/pools";
import { mayBeRemoved } from "../provisionerRegistration/allowance";
import { isLedgerUrl, ledgerForImport, LEDGER_URL } from "../../ledger/urls";
import { inputsOf, secretsOf } from "../../framework/resourceSchema";
import { schema } from "./schema";

export interface PoolInputs {
  readonly ledgerUrl: string;
  readonly pool: string;
  readonly hosts: readonly PoolHost[];
}

// The driver is loaded on demand: most updates only check for changes.
const ledger = () => import("../../ledger/pools.js");
const registration = () => import("./registerPool.js");
const use = () => import("../../functions/readPools.js");

export const staticPool: ResourceHandler<PoolInputs, PoolInputs> = {
  secretProperties: secretsOf(schema),

  check(_context, given) {
    const check = new InputCheck();
    check.keys("", given, inputsOf(schema));
    check.secret("ledgerUrl", given["ledgerUrl"], LEDGER_URL, isLedgerUrl);
    check.text("pool", given["pool"], "the name of a pool: <platform stack>/<provisioner>");
    return Promise.resolve({
      inputs: { ...given, hosts: checkHosts(check, given["hosts"]) },
      failures: check.failures,
    });
  },

  diff(_context, _id, old, inputs) {
    return Promise.resolve({ changes: changesBetween(old.inputs, inputs, ["pool"]) });
  },

  async create(context, inputs) {
    await register(context, inputs, true);
    return { id: inputs.pool, state: inputs };
  },

  async read(context, id, old) {
    const known = old.inputs.ledgerUrl ?? old.state.ledgerUrl;
    const ledgerUrl = typeof known === "string" ? known : ledgerForImport(id);
    const { readPool } = await ledger();
    const hosts = await readPool(ledgerUrl, id, ledgerOptions(context));
    if (!hosts) return undefined;
    const { readPools } = await use();
    const { warnings } = await readPools(context, { ledgerUrl, pools: { [id]: hosts } });
    for (const warning of warnings) context.log("warning", warning);
    const found = { ledgerUrl, pool: id, hosts };
    return { inputs: found, state: found };
  },

  async update(context, _id, _old, inputs) {
    await register(context, inputs, false);
    return inputs;
  },

  async delete(context, id, old) {
    const { removePool } = await ledger();
    const provisioner = id.slice(id.lastIndexOf("/") + 1);
    const options = { ...ledgerOptions(context), withAllocations: mayBeRemoved(provisioner) };
    const lost = await removePool(old.inputs.ledgerUrl, id, options);
    if (lost !== undefined) context.log("warning", `${lost}: they lost their slots in pool ${id}`);
  },
};

async function register(context: Context, inputs: PoolInputs, isNew: boolean): Promise<void> {
  if (hasUnknown(inputs)) return; // Only a preview has unknown values; the update checks again.
  const { registerPool } = await registration();
  const options = { ...ledgerOptions(context), dryRun: context.preview, isNew };
  const { warnings } = await registerPool(inputs.ledgerUrl, inputs.pool, inputs.hosts, options);
  for (const warning of warnings) context.log("warning", warning);
}

/** Returns the hosts with their defaults. */
function checkHosts(check: InputCheck, hosts: unknown): unknown {
  if (hosts === UNKNOWN) return hosts;
  if (!Array.isArray(hosts) || hosts.length === 0) {
    check.fail("hosts", hosts, "a list of one host or more");
    return hosts;
  }
  const seen = new Map<unknown, number>();
  return hosts.map((given: unknown, index) => {
    const path = `hosts[${index}]`;
    if (given === UNKNOWN) return given;
    if (typeof given !== "object" || given === null || Array.isArray(given)) {
      check.fail(path, given, "an object with host, slots, dataDir and audienceUrl");
      return given;
    }
    const host: Properties = { weight: 1, drain: false, ...withoutNulls(given) };
    checkHost(check, path, host);
    const first = seen.get(host["host"]);
    if (first !== undefined && host["host"] !== UNKNOWN) {
      check.fail(`${path}.host`, host["host"], `each host once; it is hosts[${first}] already`);
    }
    seen.set(host["host"], index);
    return host;
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

const withoutNulls = (object: object): Properties =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
