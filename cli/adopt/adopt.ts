import type { Context } from "../context";
import { kubectl } from "../bundle/cluster/kubectl";
import { confirm } from "../terminal/ask";
import { PLATFORM_PROJECT } from "../../engine/stack/names";
import { Failure, UsageError } from "../../foundation/errors";
import { backendName } from "../../foundation/pulumi/backend";
import type { Client } from "../../kubernetes/client/client";
import { isLabel } from "../../kubernetes/objects/names";
import { RECORD_LABEL, recordOn } from "../../kubernetes/owners/annotations";
import { ownerText } from "../../kubernetes/owners/judge";
import { offerTo } from "../../kubernetes/owners/record";
import { offerOwner, recordRef, type Held } from "../../kubernetes/owners/store";
import { contentLines, contentsOf } from "./contents";
import { changesBy } from "./preview";

export interface AdoptHelmOptions {
  readonly stack: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** A release has an owner without objects of its own. */
const ONLY_RECORD = "It has no objects of its own, as the record of a Helm release.";

/**
 * Shows the owner of a thing, what belongs to it, and what the stack would change; asks, and permits the stack to take it
 * over with its next update.
 */
export async function adopt(context: Context, place: string, options: AdoptHelmOptions): Promise<void> {
  const [namespace = "", name = "", ...more] = place.split("/");
  if (!isLabel(namespace) || !isLabel(name) || more.length > 0) {
    throw new UsageError(`found ${JSON.stringify(place)}; expected <namespace>/<name>, such as ray/analytics`);
  }
  const stack = options.stack.split("/").at(-1) ?? "";
  const { kubeconfig, context: of } = options;
  const { client } = await kubectl(context.platforms, { kubeconfig, context: of });
  const found = await recordsOf(client, namespace, name);
  const to = { stack: `${PLATFORM_PROJECT}/${stack}`, backend: backendName(context.platforms) };
  const owners = [...new Set(found.map(({ record }) => ownerText(record)))];
  const contents = await Promise.all(found.map((held) => contentsOf(client, namespace, name, held)));
  context.live.status("  comparing it with what the stack would apply");
  const known = contents.flatMap(contentLines);
  const changes = await changesBy(stack, place, context.platforms);
  context.live.end();
  if (options.dryRun === true && options.json === true) {
    return context.print(JSON.stringify({ place, dryRun: true, owners, to, contents, changes }, null, 2));
  }
  context.live.line(
    [
      `${place} belongs to ${owners.join("; and to ")}.`,
      `After the next update of ${offerTo(to)} that stack can't change or delete it. ${known.length > 0 ? "It consists of:" : ONLY_RECORD}`,
      ...known.map((line) => `  - ${line}`),
      changes.known
        ? "The next update:"
        : `What the next update would change is not known, see pulumi preview --stack ${stack}:`,
      ...changes.lines.map((line) => `  ${line}`),
    ].join("\n"),
  );
  if (options.dryRun === true) return context.live.line("nothing was changed (--dry-run)");
  if (options.yes !== true && !(await confirm(`Let ${offerTo(to)} take ${place} over?`))) {
    throw new Failure(`${place} was left as it is`);
  }
  for (const held of found) await offerOwner(client, held, offerTo(to));
  context.live.line(`${place} may be taken over. Take it over: pulumi up --stack ${stack}`);
}

/** The record of a set, or of an instance of a bundle. */
async function recordsOf(client: Client, namespace: string, name: string): Promise<[Held, ...Held[]]> {
  const records = await client.list({ apiVersion: "v1", kind: "ConfigMap", namespace }, { label: RECORD_LABEL });
  const names = [recordRef({ namespace, name }).name, `bundle-${name}`];
  const [first, ...others] = records
    .filter(({ metadata }) => names.includes(metadata.name))
    .flatMap((object) => {
      const record = recordOn(object);
      return record ? [{ record, object }] : [];
    });
  if (first) return [first, ...others];
  throw new Failure(
    `${namespace}/${name} has no record of an owner in this cluster (ConfigMap ${names.join(" or ")}). The records there ` +
      `are: kubectl get configmaps -A -l ${RECORD_LABEL}. What an earlier version created gets one with the next ` +
      "change by its stack",
  );
}
