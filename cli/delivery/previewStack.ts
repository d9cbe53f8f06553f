import type { Context } from "../context";
import { review } from "./review/review";
import { describedStack } from "./stacks";
import type { PreviewFlags } from "./options";

export async function preview(context: Context, id: string, options: PreviewFlags): Promise<void> {
  await review(context, await describedStack(context.root, id), options);
}
