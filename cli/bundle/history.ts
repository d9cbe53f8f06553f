import { findApprovals } from "../../bundles/approvals/store";
import type { HistoryOptions } from "./options";
import type { Context } from "../context";
import { Failure } from "../../foundation/errors";
import { table } from "../terminal/table";
import { kubectl } from "./cluster/kubectl";
import { structured } from "../options/output";

/** Lists the decisions about a bundle, oldest first. */
export async function history(context: Context, name: string, options: HistoryOptions): Promise<void> {
  const { client, namespace } = await kubectl(context.platforms, options);
  const found = await findApprovals(client, { name, namespace });
  const text = structured(found, options);
  if (text !== undefined) return context.print(text);
  if (found.length === 0) throw new Failure(`no request or decision exists for bundle ${namespace}/${name}`);
  context.print(
    table(
      ["WHEN", "DECISION", "BY", "DIGEST", "REASON"],
      found.map(({ when, decision, by, digest, reason }) => [when.toISOString(), decision, by, digest, reason ?? "-"]),
    ),
  );
}
