/** Reasons that prevent a job's pods from running, reported before it is started. Pure. */

import { at, textAt } from "../../../../kubernetes/objects/objects";
import type { KubeObject } from "../../../../kubernetes/objects/objects";
import { nodeFault } from "./nodes";
import { asked, cpuOf, memoryOf, needs, podKinds } from "./pods";
import type { PodKind } from "./pods";

/** Existing objects of the cluster. Undefined: could not be read. */
export interface World {
  readonly namespace: string;
  readonly claims?: readonly KubeObject[];
  /** Names of Secrets. */
  readonly secrets?: readonly string[];
  readonly priorityClasses?: readonly string[];
  readonly nodes?: readonly KubeObject[];
  readonly quotas?: readonly KubeObject[];
  /** Whether an autoscaler may add nodes. */
  readonly growing: boolean;
}

export interface Findings {
  /** Reasons why it can't run. */
  readonly faults: readonly string[];
  /** Reasons why it may not run as intended. */
  readonly warnings: readonly string[];
}

export function findings(footprint: readonly KubeObject[], world: World): Findings {
  const faults: string[] = [];
  const warnings: string[] = [];
  const pods = podKinds(footprint);
  for (const pod of pods) {
    const fault = world.nodes && nodeFault(pod, world.nodes);
    if (fault === undefined) continue;
    if (world.growing) warnings.push(`${fault}; it waits until the autoscaler adds one`);
    else faults.push(fault);
  }
  const found = [claimFindings(pods, world), nameFindings(pods, world), quotaFindings(pods, world)];
  return {
    faults: [...new Set([...faults, ...found.flatMap((one) => one.faults)])],
    warnings: [...new Set([...warnings, ...found.flatMap((one) => one.warnings)])],
  };
}

function claimFindings(pods: readonly PodKind[], { claims, namespace }: World): Findings {
  const faults: string[] = [];
  const warnings: string[] = [];
  const users = new Map<string, number>();
  for (const pod of pods) for (const name of needs(pod).claims) users.set(name, (users.get(name) ?? 0) + pod.count);
  for (const [name, count] of claims ? users : []) {
    const claim = claims?.find(({ metadata }) => metadata.name === name);
    if (!claim) {
      faults.push(`the claim ${name} does not exist in the namespace ${namespace}`);
      continue;
    }
    if (textAt(claim, "status", "phase") === "Lost") faults.push(`the claim ${name} lost its volume`);
    const modes = (at(claim, "spec", "accessModes") ?? []) as readonly string[];
    if (count === 1 || modes.includes("ReadWriteMany") || modes.includes("ReadOnlyMany")) continue;
    if (modes.includes("ReadWriteOnce")) {
      warnings.push(`the claim ${name} is ReadWriteOnce, so all ${count} pods that mount it have to be on one node`);
    } else faults.push(`the claim ${name} is ${modes.join(", ")}, and ${count} pods mount it`);
  }
  return { faults, warnings };
}

function nameFindings(pods: readonly PodKind[], { secrets, priorityClasses, namespace }: World): Findings {
  const wanted = pods.map(needs);
  const missing = wanted.flatMap((one) => one.secrets).filter((name) => secrets && !secrets.includes(name));
  const unknown = wanted.flatMap(({ priorityClass }) =>
    priorityClass !== undefined && priorityClasses && !priorityClasses.includes(priorityClass) ? [priorityClass] : [],
  );
  return {
    faults: unknown.map((name) => `the priority class ${name} does not exist`),
    // An image that needs no login is pulled without the secret.
    warnings: missing.map((name) => `the pull secret ${name} does not exist in the namespace ${namespace}`),
  };
}

/** How much of a limited resource one pod uses, by resource name of a quota. */
const USES: Readonly<Record<string, (pod: PodKind) => number>> = {
  pods: () => 1,
  "count/pods": () => 1,
  cpu: (pod) => asked(pod, "requests").cpu,
  memory: (pod) => asked(pod, "requests").memory,
  "requests.cpu": (pod) => asked(pod, "requests").cpu,
  "requests.memory": (pod) => asked(pod, "requests").memory,
  "limits.cpu": (pod) => asked(pod, "limits").cpu,
  "limits.memory": (pod) => asked(pod, "limits").memory,
};

function quotaFindings(pods: readonly PodKind[], { quotas = [] }: World): Findings {
  const faults: string[] = [];
  const warnings: string[] = [];
  for (const quota of quotas) {
    // A quota with a scope counts only some pods; which ones, only the API server knows.
    if (at(quota, "spec", "scopes") !== undefined || at(quota, "spec", "scopeSelector") !== undefined) continue;
    for (const [resource, hard] of Object.entries((at(quota, "spec", "hard") ?? {}) as Record<string, unknown>)) {
      const use = USES[resource];
      if (!use) continue;
      const read = resource.includes("memory") ? memoryOf : cpuOf;
      const most = read(hard);
      const least = pods.reduce((sum, pod) => sum + use(pod), 0);
      const all = pods.reduce((sum, pod) => sum + use(pod) * pod.count, 0);
      const name = `the quota ${quota.metadata.name} allows ${String(hard)} of ${resource}`;
      if (least > most) faults.push(`${name}, and one worker and its execution controller need ${least}`);
      else if (all > most) warnings.push(`${name}, and all pods of the job need ${all}: some will be missing`);
    }
  }
  return { faults, warnings };
}
