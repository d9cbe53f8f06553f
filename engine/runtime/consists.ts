import type { ResourceState } from "../pulumi/state/checkpoint";
import { count } from "../../foundation/text/numbers";

/** Lists the parts of a runtime from the state of its stack: slots on a host, objects in a cluster. */
export function consistsOf(resources: readonly ResourceState[]): string[] {
  return resources.flatMap(({ type, id, inputs = {}, outputs = {} }) => {
    if (type === "stackyard:index:SlotAllocation") {
      const slots = typeof inputs.slots === "number" ? count(inputs.slots, "slot") : "slots";
      return [`${slots} of pool ${String(inputs.pool)} on ${String(outputs.host)}`];
    }
    if (type === "stackyard:index:ManifestSet") {
      return Array.isArray(outputs.inventory) ? outputs.inventory.map(String) : [];
    }
    if (type === "stackyard:index:Shoot") {
      const asleep = outputs.hibernated === true ? ", hibernated" : "";
      return [`Shoot ${String(id)} with Kubernetes ${String(outputs.kubernetesVersion)}${asleep}`];
    }
    if (type === "stackyard:index:ClickHouseDatabase") {
      const place = `${String(outputs.host)}:${String(outputs.port)}`;
      const closed = inputs.access === false ? ", without a user" : "";
      return [`ClickHouse database ${String(inputs.database)} on ${place}${closed}`];
    }
    return [];
  });
}
