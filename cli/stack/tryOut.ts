import { readFile, writeFile } from "node:fs/promises";
import type { Context } from "../context";
import { pulumiVisibly } from "../engine/visible";
import { Failure } from "../errors";
import { guard } from "../interrupt";
import { confirm } from "../terminal/ask";
import type { StackFile } from "./file";

export interface TryOptions {
  /** Don't preview, don't ask. */
  readonly yes?: boolean;
  /** Preview only. */
  readonly preview?: boolean;
}

/**
 * Brings a platform stack to where its changed stack file says: previews, asks, deploys. Where it does not come to
 * deploying, the file is as it was before. Answers whether it was deployed.
 */
export async function tryOut(
  context: Context,
  stack: string,
  file: StackFile,
  question: string,
  { yes, preview }: TryOptions,
): Promise<boolean> {
  const before = await readFile(file.file, "utf8");
  return guard(async () => {
    await file.write();
    const place = ["--stack", stack];
    let agreed = yes === true && preview !== true;
    try {
      if (!agreed) {
        const code = await pulumiVisibly(["preview", ...place], context.root);
        if (code !== 0) throw new Failure("the preview failed, so nothing was changed; what it says is above");
        agreed = preview !== true && (await confirm(question));
      }
    } finally {
      if (!agreed) await writeFile(file.file, before);
    }
    if (!agreed) return false;
    const code = await pulumiVisibly(["up", "--yes", "--skip-preview", "--suppress-outputs", ...place], context.root);
    if (code !== 0) {
      const again = `pulumi up --stack ${stack}`;
      throw new Failure(
        `the update failed; what it says is above. ${file.file} keeps the change: go on with "${again}", or undo it there`,
      );
    }
    return true;
  });
}
