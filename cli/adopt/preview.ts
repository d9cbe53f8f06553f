/** What a platform stack would change in a thing that it takes over, by a preview that needs no permission of its owner. */

import type { Workspace } from "../../foundation/pulumi/backend";
import { PulumiProcess } from "../../engine/pulumi/pulumi";
import { plainMessage } from "../../engine/pulumi/diagnostics";
import type { Diagnostic } from "../../engine/pulumi/events";
import { previewing, TAKES_OVER } from "../../foundation/pulumi/adoption";

/** `known`: false if the stack does not have the thing, or its preview failed before it was compared. */
interface Changes {
  readonly known: boolean;
  /** The provider's messages about the thing. */
  readonly lines: readonly string[];
}

export async function changesBy(stack: string, place: string, workspace: Workspace): Promise<Changes> {
  const args = ["preview", "--json", "--stack", stack];
  const { stdout, stderr } = await new PulumiProcess(args, workspace, { env: previewing(place) }).finished;
  return changesIn(diagnosticsIn(stdout), stderr);
}

/** Pure. `stderr`: shown if the thing was not compared. */
function changesIn(diagnostics: readonly Diagnostic[], stderr: string): Changes {
  const first = diagnostics.find(({ message }) => message.startsWith(TAKES_OVER));
  const failed = diagnostics.filter(({ severity }) => severity === "error");
  if (first === undefined) {
    const why = failed.length > 0 ? failed.map(({ message }) => message) : [stderr];
    return { known: false, lines: why.map(plainMessage).filter((line) => line !== "") };
  }
  const own = diagnostics.filter(({ urn, ephemeral }) => urn === first.urn && ephemeral !== true);
  return { known: true, lines: own.map(({ message }) => plainMessage(message)) };
}

function diagnosticsIn(stdout: string): readonly Diagnostic[] {
  const start = stdout.indexOf("{");
  if (start < 0) return [];
  return (JSON.parse(stdout.slice(start)) as { readonly diagnostics?: readonly Diagnostic[] }).diagnostics ?? [];
}
