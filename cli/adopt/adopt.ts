import type { Context } from "../context";
import { kubectl } from "../bundle/cluster/kubectl";
import { confirm } from "../terminal/ask";
import { PLATFORM_PROJECT } from "../../engine/stack/names";
import { Failure, UsageError } from "../../foundation/errors";
import { backendName } from "../../foundation/pulumi/backend";
import type { Client } from "../../kubernetes/client/client";
import { isLabel } from "../../kubernetes/client/names";
import { RECORD_LABEL, recordOn } from "../../kubernetes/owners/annotations";
import { ownerText } from "../../kubernetes/owners/judge";
import { offerTo } from "../../kubernetes/owners/record";
import { offerOwner, recordRef, type Held } from "../../kubernetes/owners/store";

export interface AdoptOptions {
  readonly stack: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly yes?: boolean;
}

/** Shows the owner of a thing, asks, and permits another stack to take it over with its next update. */
export async function adopt(context: Context, place: string, options: AdoptOptions): Promise<void> {
  const [namespace = "", name = "", ...more] = place.split("/");
  if (!isLabel(namespace) || !isLabel(name) || more.length > 0) {
    throw new UsageError(`found ${JSON.stringify(place)}; expected <namespace>/<name>, such as ray/analytics`);
  }
  const stack = options.stack.split("/").at(-1) ?? "";
  const { kubeconfig, context: of } = options;
  const { client } = await kubectl(context.root, { kubeconfig, context: of });
  const found = await recordsOf(client, namespace, name);
  const to = { stack: `${PLATFORM_PROJECT}/${stack}`, backend: backendName(context.root) };
  const owners = [...new Set(found.map(({ record }) => ownerText(record)))];
  context.live.line(
    `${place} belongs to ${owners.join("; and to ")}.\nAfter the next update of ${offerTo(to)} that stack can't change or delete it.`,
  );
  if (options.yes !== true && !(await confirm(`Let ${offerTo(to)} take ${place} over?`))) {
    throw new Failure(`${place} was left as it is`);
  }
  for (const held of found) await offerOwner(client, held, offerTo(to));
  context.live.line(
    `${place} may be taken over. What would change: pulumi preview --stack ${stack}; take it over: pulumi up --stack ${stack}`,
  );
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
