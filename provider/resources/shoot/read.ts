/** Refresh and import: reads the Shoot and converts it to inputs. */

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { chooseContext } from "../../../foundation/kubeconfig";
import type { Context } from "../../../foundation/pulumi/resource";
import { isObject } from "../../../foundation/json/isObject";
import { without, type KubeObject } from "../../../kubernetes/objects/objects";
import { desiredOf } from "../../../kubernetes/gardener/desired";
import { withAuthentication } from "../../../kubernetes/gardener/existing";
import { asDescribed } from "../../../kubernetes/gardener/versionFields";
import { shootFacts, shootRef } from "../../../kubernetes/gardener/shoot";
import { ownerIdOn } from "../../../kubernetes/identity/ownerId";
import { recordOn, withoutRecord } from "../../../kubernetes/owners/annotations";
import { stackOf } from "../../../kubernetes/owners/record";
import { Unknown } from "../../../kubernetes/work/unknown";
import { project } from "../../../kubernetes/drift/project";
import { openGarden, requireGarden } from "./garden";
import type { ShootInputs, ShootState } from "./inputs";

interface Both {
  readonly inputs: ShootInputs;
  readonly state: ShootState;
}

/** Undefined if the Shoot is gone. */
export async function readShoot(context: Context, id: string, old: Both): Promise<Both | undefined> {
  if (!isObject(old.inputs?.shoot)) return importShoot(context, id);
  const garden = openGarden(context, old.inputs);
  const place = await requireGarden(context, old.inputs, old.state);
  const live = await new Unknown().ask(garden.client.get(garden.ref), garden.log);
  if (live === "unknown") return old;
  if (live === undefined || (old.state.uid !== undefined && live.metadata.uid !== old.state.uid)) return undefined;
  // Values that Gardener has increased itself are no drift.
  const described = asDescribed(await withAuthentication(garden.client, live), old.inputs.shoot);
  const { shoot: wanted } = desiredOf(old.inputs.shoot, described);
  const found = project(described, wanted) as KubeObject;
  const inputs = { ...old.inputs, shoot: isDeepStrictEqual(found, wanted) ? old.inputs.shoot : found };
  const { cpu, memoryGb, incomplete } = old.state;
  const size = { ...(cpu !== undefined && { cpu }), ...(memoryGb !== undefined && { memoryGb }) };
  const owned = ownedIn(context, live, old.state.ownerGeneration);
  return {
    inputs,
    state: { ...inputs, ...place, ...shootFacts(live), ...size, ...owned, ...(incomplete === true && { incomplete }) },
  };
}

/** For an import, the engine only passes the id, so the rest comes from the environment of `pulumi import`. */
async function importShoot(context: Context, id: string): Promise<Both | undefined> {
  const [namespace, name, ...more] = id.split("/");
  const file = process.env["STACKYARD_GARDENER_KUBECONFIG"];
  if (!namespace || !name || more.length > 0 || file === undefined) {
    throw new Error(
      `${id} can't be imported: expected an id namespace/name, such as garden-dev/acme, and STACKYARD_GARDENER_KUBECONFIG with the path of the project's kubeconfig`,
    );
  }
  const kubeconfig = readFileSync(file, "utf8");
  const { server, name: contextName } = chooseContext(kubeconfig);
  const stub: KubeObject = { ...shootRef(namespace, name), metadata: { namespace, name } };
  const way = { kubeconfig, context: contextName, cluster: server.href.replace(/\/$/, "") };
  const garden = openGarden(context, { ...way, shoot: stub });
  const live = await garden.client.get(garden.ref);
  if (live === undefined) return undefined;
  const described = asDescribed(await withAuthentication(garden.client, live));
  const { labels, annotations } = withoutRecord(described).metadata;
  const metadata = { name, namespace, ...(labels && { labels }), ...(annotations && { annotations }) };
  const shoot = { ...without(described, "status"), metadata } as KubeObject;
  const instance = ownerIdOn(live);
  const inputs: ShootInputs = { ...way, shoot, ...(instance !== undefined && { instance }) };
  const place = await requireGarden(context, inputs);
  return { inputs, state: { ...inputs, ...place, ...shootFacts(live), ...ownedIn(context, live) } };
}

/** Only of a record that this stack wrote, the generation is that of the state too: another stack's is not taken over. */
function ownedIn(context: Context, live: KubeObject, known?: number): Pick<ShootState, "ownerGeneration"> {
  const [record, { stack, backend }] = [recordOn(live), stackOf(context)];
  const isOurs = record?.stack === stack && record.backend === backend;
  const ownerGeneration = isOurs ? record.generation : known;
  return ownerGeneration === undefined ? {} : { ownerGeneration };
}
