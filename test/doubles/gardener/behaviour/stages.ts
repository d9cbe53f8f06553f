/** Gardener's behaviour for a Shoot, as KWOK Stages. */

import type { KubeObject } from "../../../../kubernetes/objects/objects";
import { GROUP, VERSION } from "../kinds/definitions";
import { CLEANUP, CLEANUP_CODE, FAULT, LASTING, PASSING } from "./faults";
import { FAILURE, FINISH, PROGRESS, START } from "./statuses";

type When = readonly [key: string, operator: "In" | "NotIn" | "Exists" | "DoesNotExist", values?: readonly string[]];

const ALIVE: When = [".metadata.deletionTimestamp", "DoesNotExist"];
const LEAVING: When = [".metadata.deletionTimestamp", "Exists"];
const STATE = ".status.lastOperation.state";
const TYPE = ".status.lastOperation.type";
const fault = `(.metadata.annotations["${FAULT}"] // .spec.secretBindingName)`;
const only = (condition: string): string => `select(${condition}) | .metadata.name`;
const TRIED_ONCE = only(".status.lastErrors != null");
const ASKED = only(".metadata.generation != .status.observedGeneration");
const OPERATION = '.metadata.annotations["gardener.cloud/operation"]';
const FORCED = '.metadata.annotations["confirmation.gardener.cloud/force-deletion"]';
/** Progress at which an operation fails. */
const HALF = only(".status.lastOperation.progress >= 40");
const DONE = only(".status.lastOperation.progress >= 80");
const UNDONE = only(".status.lastOperation.progress < 80");

interface Step {
  readonly name: string;
  readonly when: readonly When[];
  readonly status?: string;
  /** A merge patch of the object itself. */
  readonly change?: string;
  readonly finalizers?: object;
  readonly delayMs?: number;
  /** Among matching Stages, one with a weight has priority. */
  readonly weight?: number;
}

function stage({ name, when, status, change, finalizers, delayMs, weight }: Step): KubeObject {
  // Gardener removes a retry request and leaves the failed state at once. In this order, the failure is never visible
  // without the request.
  const patches = [
    ...(status === undefined ? [] : [{ subresource: "status", root: "status", template: status, type: "merge" }]),
    ...(change === undefined ? [] : [{ root: "", template: change, type: "merge" }]),
  ];
  const matchExpressions = when.map(([key, operator, values]) => ({ key, operator, values }));
  return {
    apiVersion: "kwok.x-k8s.io/v1alpha1",
    kind: "Stage",
    metadata: { name: `gardener-${name}` },
    spec: {
      resourceRef: { apiGroup: `${GROUP}/${VERSION}`, kind: "Shoot" },
      selector: { matchExpressions },
      ...(weight === undefined ? {} : { weight }),
      ...(delayMs === undefined ? {} : { delay: { durationMilliseconds: delayMs } }),
      next: { ...(finalizers ? { finalizers } : {}), ...(patches.length > 0 ? { patches } : {}) },
    },
  };
}

/** The scheduler and the admission plugins: they set a Seed, a domain, and a finalizer. */
const ACCEPT = `
{{ $domain := printf "%s.%s.shoot.example.com" .metadata.name (trimPrefix "garden-" .metadata.namespace) }}
spec:
  seedName: {{ .spec.seedName | default (printf "%s-eu1" .spec.provider.type) | Quote }}
  dns: { domain: {{ dig "dns" "domain" $domain .spec | Quote }} }
`;

/** `stepMs`: duration of each fifth of an operation. */
export function stages(stepMs: number): KubeObject[] {
  const working: When = [STATE, "In", ["Processing"]];
  const healthy: When = [fault, "NotIn", [...Object.keys(PASSING), ...Object.keys(LASTING), CLEANUP]];
  const passing: When = [fault, "In", Object.keys(PASSING)];
  const lasting: When = [fault, "In", Object.keys(LASTING)];
  const start = START(
    '{{ if or (not (dig "lastOperation" "type" "" (.status | default dict))) (and (eq .status.lastOperation.type "Create") (ne .status.lastOperation.state "Succeeded")) }}Create{{ else }}Reconcile{{ end }}',
  );
  const removed = (annotation: string): string => `metadata: { annotations: { "${annotation}": null } }`;
  return [
    stage({
      name: "accepts",
      when: [ALIVE, [".metadata.finalizers.[]", "NotIn", ["gardener"]]],
      finalizers: { add: [{ value: "gardener" }] },
      change: ACCEPT,
    }),
    stage({
      name: "begins",
      when: [ALIVE, [".metadata.finalizers.[]", "In", ["gardener"]], [STATE, "DoesNotExist"]],
      status: start,
    }),
    stage({
      name: "begins-again",
      when: [ALIVE, [STATE, "In", ["Succeeded", "Failed"]], [ASKED, "Exists"]],
      status: start,
    }),
    stage({
      name: "obeys",
      when: [ALIVE, [STATE, "In", ["Succeeded", "Error"]], [OPERATION, "In", ["reconcile", "maintain", "retry"]]],
      change: removed("gardener.cloud/operation"),
      status: start,
      weight: 1,
    }),
    stage({
      name: "retries",
      when: [ALIVE, [STATE, "In", ["Failed"]], [OPERATION, "In", ["retry"]]],
      change: removed("gardener.cloud/operation"),
      status: start,
      weight: 1,
    }),
    stage({ name: "progresses", when: [ALIVE, working, [UNDONE, "Exists"]], status: PROGRESS, delayMs: stepMs }),
    stage({
      name: "stumbles",
      when: [ALIVE, working, passing, [HALF, "Exists"], [TRIED_ONCE, "DoesNotExist"]],
      status: FAILURE("Error", PASSING, FAULT),
      weight: 1,
    }),
    stage({
      name: "tries-again",
      when: [ALIVE, [STATE, "In", ["Error"]], passing],
      status: "lastOperation: { state: Processing }",
      delayMs: 3 * stepMs,
    }),
    stage({
      name: "fails",
      when: [ALIVE, working, lasting, [HALF, "Exists"]],
      status: FAILURE("Failed", LASTING, FAULT),
      weight: 1,
    }),
    stage({ name: "finishes", when: [ALIVE, working, [DONE, "Exists"], healthy], status: FINISH, delayMs: stepMs }),
    stage({
      name: "finishes-after-all",
      when: [ALIVE, working, [DONE, "Exists"], passing],
      status: FINISH,
      delayMs: stepMs,
    }),

    stage({ name: "deletes", when: [LEAVING, [TYPE, "NotIn", ["Delete"]]], status: START("Delete") }),
    stage({
      name: "deletes-on",
      when: [LEAVING, [TYPE, "In", ["Delete"]], working, [UNDONE, "Exists"]],
      status: PROGRESS,
      delayMs: stepMs,
    }),
    stage({
      name: "cannot-delete",
      when: [
        LEAVING,
        [TYPE, "In", ["Delete"]],
        working,
        [HALF, "Exists"],
        [fault, "In", [CLEANUP]],
        [FORCED, "DoesNotExist"],
      ],
      status: FAILURE(
        "Error",
        { [CLEANUP]: { code: CLEANUP_CODE, description: "Services of type LoadBalancer are left" } },
        FAULT,
      ),
      weight: 1,
    }),
    stage({
      name: "fails-to-delete",
      when: [LEAVING, [TYPE, "In", ["Delete"]], working, lasting, [HALF, "Exists"], [FORCED, "DoesNotExist"]],
      status: FAILURE("Failed", LASTING, FAULT),
      weight: 1,
    }),
    stage({
      name: "deletes-again",
      when: [LEAVING, [TYPE, "In", ["Delete"]], [STATE, "In", ["Error", "Failed"]], healthy],
      status: START("Delete"),
    }),
    stage({
      name: "is-gone",
      when: [LEAVING, [TYPE, "In", ["Delete"]], working, [DONE, "Exists"]],
      finalizers: { remove: [{ value: "gardener" }] },
      delayMs: stepMs,
    }),
    stage({
      name: "is-gone-by-force",
      when: [LEAVING, [FORCED, "In", ["true"]]],
      finalizers: { remove: [{ value: "gardener" }] },
      weight: 1,
    }),
  ];
}
