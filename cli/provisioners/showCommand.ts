import { closeLedgers } from "../../provider/ledger/database";
import { readUsage } from "../../provider/ledger/usage";
import type { Context } from "../context";
import { readPlatform } from "../../engine/stack/platformOutputs";
import { shownProvisioners, showText } from "./show";
import { readRuntimes } from "../../engine/runtime/list";
import { platformReference } from "../../engine/stack/names";
import type { ProvisionerShowOptions } from "./options";

export async function showProvisioners(context: Context, options: ProvisionerShowOptions): Promise<void> {
  const [platform, stacks] = await Promise.all([
    readPlatform(context.platforms, platformReference(options.stack)),
    readRuntimes(context.runtimes),
  ]);
  try {
    const pools =
      platform.ledgerUrl === undefined
        ? []
        : await readUsage(platform.ledgerUrl, undefined, { onWait: (text) => context.live.line(text) });
    const set = shownProvisioners(platform, pools, stacks);
    context.print(options.json ? JSON.stringify(set, null, 2) : showText(set));
  } finally {
    await closeLedgers();
  }
}
