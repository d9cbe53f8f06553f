/** The verdicts of a server on Shoots, without the product's own checks. */

import { messageOf } from "../../foundation/errors";
import type { Client } from "../../kubernetes/client/client";
import { forVersion } from "../../kubernetes/gardener/versionFields";
import type { KubeObject } from "../../kubernetes/objects/objects";
import type { Change } from "./changes";
import { shootFor } from "./product";

/** The server's refusal; undefined if it takes the Shoot. */
export type Verdict = string | undefined;

export const tried = (client: Client, shoot: KubeObject): Promise<Verdict> =>
  client.apply(shoot, { dryRun: true }).then(() => undefined, messageOf);

/** Creates what a change begins with, and tries the change. */
export async function changeOn(client: Client, name: string, { from, to }: Change): Promise<Verdict> {
  const { shoot, configMap } = forVersion(shootFor(name, from));
  if (configMap) await client.apply(configMap);
  const created = await client.apply(shoot);
  const next = forVersion(shootFor(name, to), { shoot: created, configMap });
  if (next.configMap) await client.apply(next.configMap);
  return tried(client, next.shoot);
}
