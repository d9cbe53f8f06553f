import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { YARD_LEDGER } from "../../components/provisioners/config/decode";
import { backendName } from "../../foundation/pulumi/backend";
import { Failure } from "../../foundation/errors";
import { isOfSameStack, ownerText } from "../../kubernetes/owners/judge";
import { offerTo } from "../../kubernetes/owners/record";
import { closeLedgers } from "../../provider/ledger/database";
import { ownerRecordOf } from "../../provider/ledger/owners/rows";
import { offerPool } from "../../provider/ledger/owners/pool";
import { readPool } from "../../provider/ledger/pools";
import { pulumi } from "../../engine/pulumi/pulumi";
import { PLATFORM_PROJECT, platformReference } from "../../engine/stack/names";
import type { Context } from "../context";
import { confirm } from "../terminal/ask";
import type { AdoptProvisionerOptions } from "./options";

/** Shows who owns the pool of a provisioner, asks, and offers it to a platform stack of this state backend. */
export async function adoptPool(
  context: Context,
  provisioner: string,
  options: AdoptProvisionerOptions,
): Promise<void> {
  const stack = platformReference(options.stack).split("/").at(-1) ?? options.stack;
  const pool = `${stack}/${provisioner}`;
  const ledgerUrl = await ledgerOf(context, stack);
  try {
    const found = await readPool(ledgerUrl, pool, { onWait: (text) => context.live.line(text) });
    if (found === undefined) {
      throw new Failure(`pool: found no ${pool} in the ledger; "pulumi up --stack ${stack}" registers it`);
    }
    const owner = ownerRecordOf(found.row);
    const next = { stack: `${PLATFORM_PROJECT}/${stack}`, backend: backendName(context.platforms) };
    const hosts = found.hosts.map(({ host, slots }) => `  - ${host} (${slots} slots)`);
    context.live.line([`pool ${pool} belongs to ${ownerText(owner)}, with the hosts:`, ...hosts].join("\n"));
    if (isOfSameStack(owner, next)) context.live.line("this is the stack that takes it over, so its state got lost");
    const question = `Let stack ${offerTo(next)} take it over? Its hosts become those of that stack.`;
    if (options.yes !== true && !(await confirm(question))) throw new Failure(`pool ${pool} was left as it is`);
    await offerPool(ledgerUrl, pool, found.row, offerTo(next));
    context.live.line(`pool ${pool} is offered; "pulumi up --stack ${stack}" takes it over`);
  } finally {
    await closeLedgers();
  }
}

/** From the stack's config, or the yard's: a platform that never succeeded, or lost its state, has no outputs. */
async function ledgerOf({ platforms }: Context, stack: string): Promise<string> {
  const url = (await pulumi(["config", "get", "stackyard:ledger", "--stack", stack], platforms)).trim();
  if (url !== "") return url;
  const yard = path.join(platforms.folder, YARD_LEDGER);
  if (existsSync(yard)) return readFileSync(yard, "utf8").trim();
  throw new Failure(`stackyard:ledger: found nothing; expected the URL of the ledger that has the pools of ${stack}`);
}
