import { closeLedgers } from "../../provider/ledger/database";
import { readUsage } from "../../provider/ledger/usage";
import type { Context } from "../context";
import { readPlatform } from "../provisioners/platformOutputs";
import { runtimesByProvisioner, shown, showText } from "../provisioners/show";
import { readRuntimes } from "../runtime/list";
import { platformReference } from "../stack/names";
import type { ShowOptions } from "./provisioners";

export async function show(context: Context, options: ShowOptions): Promise<void> {
  const reference = platformReference(options.stack);
  const [platform, stacks] = await Promise.all([
    readPlatform(context.root, reference),
    readRuntimes(context.runtimeFolder),
  ]);
  const hasStatic = Object.values(platform.provisioners).some(({ type }) => type === "static");
  try {
    const pools = hasStatic && platform.ledgerUrl !== undefined ? await readUsage(platform.ledgerUrl) : [];
    const set = shown(platform, pools, runtimesByProvisioner(stacks, reference));
    context.print(options.json ? JSON.stringify(set, null, 2) : showText(set));
  } finally {
    await closeLedgers();
  }
}
