import { success, type Context } from "../context";
import { GitHub } from "../delivery/github";
import { commentOf, markOf } from "../delivery/markdown";
import { previewStack } from "../delivery/preview";
import { summary, type Report } from "../delivery/report";
import { describedStack } from "../delivery/stacks";
import { Failure } from "../errors";
import type { PreviewFlags } from "./delivery";

export async function preview(context: Context, id: string, options: PreviewFlags): Promise<void> {
  const stack = await describedStack(context.root, id);
  context.live.status(`  previewing ${stack.id}`);
  const { ok, text, report } = await previewStack(context.root, stack, options);
  context.live.end();
  context.print(text.trimEnd());
  const allowed = new Set(options.allow);
  if (options.comment !== undefined) {
    const github = await GitHub.connect();
    await github.comment(options.comment, markOf(`preview:${stack.id}`), commentOf(stack.id, report, allowed));
  }
  if (!ok) throw new Failure(`the preview of ${stack.id} failed; why is above`);
  stopAtLoss(report, allowed);
  success(context, `${stack.id}: ${summary(report)}`);
}

/** Throws where a plan takes state away that nobody gave up. */
export function stopAtLoss({ destructive }: Report, allowed: ReadonlySet<string>): void {
  const lost = destructive.filter(({ name }) => !allowed.has(name));
  if (lost.length === 0) return;
  const what = lost.map(({ op, type, name }) => `  - ${op} of ${name} (${type})`).join("\n");
  throw new Failure(
    `this takes away what nobody gets back:\n${what}\nNothing was changed. What may go is named with --allow NAME.`,
  );
}
