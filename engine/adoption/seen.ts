import type { SlotSize } from "../../components/runtime/size";
import type { KubernetesProvisioner } from "../../components/runtime/types/kubernetes/spec";
import { at, listAt, textAt, type KubeObject } from "../../kubernetes/objects/objects";
import { bytesOf } from "../../kubernetes/objects/bytes";
import type { DeploymentChange } from "../stack/change";

/**
 * Reconstructs a deployment from its live workloads. Templates can do anything, so this is a guess: the version is the
 * tag of the provisioner's image, and the slots follow from the container's CPU request. Pure.
 */
export function seenIn(
  workloads: readonly KubeObject[],
  spec: KubernetesProvisioner,
  slot: SlotSize,
): DeploymentChange {
  const containers = workloads.flatMap((object) => listAt(object, "spec", "template", "spec", "containers"));
  const prefix = `${spec.image}:`;
  const own = containers.find((one) => textAt(one, "image")?.startsWith(prefix));
  const version = own && textAt(own, "image")?.slice(prefix.length);
  const cpus = cpusOf(at(own, "resources", "requests", "cpu") ?? at(own, "resources", "limits", "cpu"));
  const slots = cpus === undefined ? undefined : Math.round((cpus / slot.cpu) * 1000) / 1000;
  const known = slots !== undefined && Number.isInteger(slots) && slots > 0 ? slots : undefined;
  const isAsleep = workloads.length > 0 && workloads.every((object) => at(object, "spec", "replicas") === 0);
  return {
    ...(version !== undefined && { version }),
    ...(known !== undefined && { slots: known }),
    ...diskIn(workloads, (known ?? 0) * slot.diskGb),
    ...(isAsleep && { state: "hibernated" as const }),
  };
}

const GIB = 2 ** 30;

/** Only set if it differs from the disk that the slots imply. */
function diskIn(workloads: readonly KubeObject[], given: number): DeploymentChange {
  const templates = workloads.flatMap((object) => listAt(object, "spec", "volumeClaimTemplates"));
  const size = bytesOf(at(templates[0], "spec", "resources", "requests", "storage"));
  const diskGb = size === undefined ? undefined : size / GIB;
  return diskGb === undefined || diskGb === given ? {} : { diskGb };
}

/** Converts a quantity such as `2`, `0.5` or `500m` to CPUs. */
function cpusOf(quantity: unknown): number | undefined {
  const [, number, milli] = /^(\d+(?:\.\d+)?)(m?)$/.exec(String(quantity)) ?? [];
  if (number === undefined) return undefined;
  return milli === "m" ? Number(number) / 1000 : Number(number);
}
