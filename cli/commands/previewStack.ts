import type { Context } from "../context";
import { review } from "../delivery/review";
import { describedStack } from "../delivery/stacks";
import type { PreviewFlags } from "./delivery";

export async function preview(context: Context, id: string, options: PreviewFlags): Promise<void> {
  await review(context, await describedStack(context.root, id), options);
}
