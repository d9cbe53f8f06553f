/** Whether a RayCluster's pods are ready: what its operator says of them may be about earlier ones. Pure. */

import { at, listAt, numberAt, textAt, type KubeObject } from "../objects/objects";
import { isReady } from "../reasons/pod";
import type { Json } from "../../foundation/json/isObject";
import { rayCluster } from "../rollout/rayCluster";
import { DONE, waiting, type Rollout } from "../rollout/state";

/** The operator writes no status if nothing but the generation is new, as after a change back: its pods show that it saw it. */
const UNSEEN_PATIENCE_MS = 30_000;

/** Whether the pods must be looked at, by what the status says and for how long it was about an earlier spec. */
export const needsPods = (live: KubeObject, said: Rollout, unseenMs: number): boolean =>
  at(live, "spec", "suspend") !== true &&
  (said.done || (said.unseen === true && unseenMs >= UNSEEN_PATIENCE_MS && rayCluster(live).done));

/** The operator counts pods that it deletes as ready until they are gone, and creates the new ones afterwards. */
export function rayPods(live: KubeObject, said: Rollout, pods: readonly KubeObject[]): Rollout {
  const staying = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const own = (type: string) => staying.filter(({ metadata }) => metadata.labels?.["ray.io/node-type"] === type);
  const [head] = own("head");
  if (!head) return waiting("its new head is not created yet");
  if (!isReady(head)) return waiting("its head is not ready");
  const groups = listAt(live, "spec", "workerGroupSpecs").filter((group) => group["suspend"] !== true);
  const least = groups.reduce((sum, group) => sum + leastOf(group), 0);
  const ready = own("worker").filter(isReady).length;
  if (ready < least) return waiting(`${ready} of ${least} workers ready`);
  return said.done || isMadeFrom(head, at(live, "spec", "headGroupSpec", "template")) ? DONE : said;
}

const leastOf = (group: Json): number => (numberAt(group, "minReplicas") ?? 0) * (numberAt(group, "numOfHosts") ?? 1);

/** As far as it can be compared: the operator adds variables and containers of its own, the API server defaults. */
function isMadeFrom(pod: KubeObject, template: unknown): boolean {
  const made = listAt(pod, "spec", "containers");
  return listAt(template, "spec", "containers").every((container) => {
    const own = made.find(({ name }) => name === container["name"]);
    const values = new Map(listAt(own, "env").map((one) => [one["name"], textAt(one, "value") ?? ""]));
    return (
      own?.["image"] === container["image"] &&
      listAt(container, "env").every((one) => values.get(one["name"]) === (textAt(one, "value") ?? ""))
    );
  });
}
