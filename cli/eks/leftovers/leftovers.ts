import { structured } from "../../options/output";
import { table } from "../../terminal/table";
import { Failure } from "../../../foundation/errors";
import type { Context } from "../../context";
import { AwsQuestions } from "../awsQuestions";
import type { EksLeftoversOptions } from "../options";
import { leftovers, type Leftover } from "./judge";
import { findLeftovers } from "./look";
import { targetOf } from "./target";

/** Lists what a destroy leaves behind on AWS, with advice. Fails if there is anything. */
export async function eksLeftovers(context: Context, options: EksLeftoversOptions): Promise<void> {
  const target = await targetOf(context, options);
  const { name, region } = target;
  context.live.status(`  looking at ${region}`);
  const account = await findLeftovers(target, new AwsQuestions(region));
  context.live.end();
  const found = leftovers(account, target).filter(({ blocksVpc }) => blocksVpc || !options.blocking);
  const { isRunning } = account;
  const text = structured({ cluster: name, region, running: isRunning, leftovers: found }, options);
  if (text !== undefined) context.print(text);
  else if (found.length > 0) context.print(listing(found));
  const which = options.blocking ? "that keep its VPC from being deleted" : "that stay";
  if (found.length > 0) throw new Failure(`found ${found.length} resources of ${name} ${which}`);
  if (text === undefined) context.print(`found no resources of ${name} ${which}`);
}

function listing(found: readonly Leftover[]): string {
  const columns = ["KIND", "ID", "BELONGS TO", "STATE", "BLOCKS VPC"].map((title) => ({ title }));
  const rows = found.map(({ kind, id, belongsTo, state, blocksVpc }) => [
    kind,
    id,
    belongsTo,
    state,
    blocksVpc ? "yes" : "no",
  ]);
  const steps = found.map(({ id, fix }) => `  ${id}\n    ${fix}`);
  return [table(columns, rows), "", "What to do, in this order:", ...steps].join("\n");
}
