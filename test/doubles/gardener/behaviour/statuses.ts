/** Statuses of a Shoot, as KWOK templates. */

import { FAULT, NO_HIBERNATION } from "./faults";

const SIGNATURE = `lastUpdateTime: {{ dateInZone "2006-01-02T15:04:05Z" now "UTC" | Quote }}`;

/** Starts an operation. */
export const START = (type: string): string => `
gardener: { id: "double", name: "gardenlet-0", version: "v1.149.3" }
technicalID: {{ printf "shoot--%s--%s" (trimPrefix "garden-" .metadata.namespace) .metadata.name | Quote }}
uid: {{ .metadata.uid | Quote }}
{{ if .spec.seedName }}
seedName: {{ .spec.seedName | Quote }}
{{ end }}
observedGeneration: {{ .metadata.generation }}
hibernated: {{ dig "status" "hibernated" false . }}
retryCycleStartTime: {{ dateInZone "2006-01-02T15:04:05Z" now "UTC" | Quote }}
lastErrors: null
lastOperation:
  type: ${type}
  state: Processing
  progress: 0
  description: ${type === "Delete" ? "Deletion of Shoot cluster in progress." : "Reconciliation of Shoot cluster initialized."}
  ${SIGNATURE}
`;

/** Adds a fifth of progress. The cluster's API server has an address from two fifths on. */
export const PROGRESS = `
{{ $progress := add .status.lastOperation.progress 20 }}
lastOperation:
  progress: {{ $progress }}
  description: {{ printf "[%d/100 tasks] Working on the infrastructure" $progress | Quote }}
  ${SIGNATURE}
{{ if and (ge $progress 40) (ne .status.lastOperation.type "Delete") }}
clusterIdentity: {{ printf "shoot--%s--%s-%s-double" (trimPrefix "garden-" .metadata.namespace) .metadata.name .metadata.uid | Quote }}
advertisedAddresses:
- { name: external, url: {{ printf "https://api.%s" .spec.dns.domain | Quote }} }
- { name: internal, url: {{ printf "https://api.%s.%s.internal.example.com" .metadata.name (trimPrefix "garden-" .metadata.namespace) | Quote }} }
{{ end }}
`;

const condition = (type: string, reason: string): string => `
- type: ${type}
  status: "True"
  reason: {{ if $asleep }}${reason}{{ else }}${type}{{ end }}
  message: {{ if $asleep }}Shoot cluster has been hibernated.{{ else }}All is well.{{ end }}
  lastTransitionTime: {{ $now }}
  lastUpdateTime: {{ $now }}`;

const CONDITIONS = [
  "APIServerAvailable",
  "ControlPlaneHealthy",
  "ObservabilityComponentsHealthy",
  "EveryNodeReady",
  "SystemComponentsHealthy",
];
const NOT_HIBERNATABLE = `
- type: HibernationPossible
  status: "False"
  reason: ProblematicWebhooks
  message: 'ValidatingWebhookConfiguration "guard" is problematic: webhook "pods" with failurePolicy "Fail" could keep the cluster from waking up'
  lastTransitionTime: {{ $now }}
  lastUpdateTime: {{ $now }}`;
const CONSTRAINTS = ["MaintenancePreconditionsSatisfied", "CACertificateValiditiesAcceptable"];

/** Completes the operation: the cluster matches the specification, awake or hibernated. */
export const FINISH = `
{{ $asleep := dig "hibernation" "enabled" false .spec }}
{{ $now := dateInZone "2006-01-02T15:04:05Z" now "UTC" | Quote }}
hibernated: {{ $asleep }}
lastErrors: null
lastOperation:
  state: Succeeded
  progress: 100
  description: Shoot cluster has been successfully reconciled.
  lastUpdateTime: {{ $now }}
conditions:${CONDITIONS.map((type) => condition(type, "ConditionNotChecked")).join("")}
constraints:
{{ if eq (or (index (.metadata.annotations | default dict) ${JSON.stringify(FAULT)}) "") ${JSON.stringify(NO_HIBERNATION)} }}${NOT_HIBERNATABLE}
{{ else }}${condition("HibernationPossible", "ConstraintNotChecked")}
{{ end }}${CONSTRAINTS.map((type) => condition(type, "ConstraintNotChecked")).join("")}
`;

interface Fault {
  readonly code?: string;
  readonly description: string;
}

/** Fails the operation. */
export function FAILURE(
  state: "Error" | "Failed",
  faults: Readonly<Record<string, Fault>>,
  annotation: string,
): string {
  const cases = Object.entries(faults).map(
    ([name, { code, description }], index) => `
{{ ${index === 0 ? "if" : "else if"} eq $fault ${JSON.stringify(name)} }}
{{ $description = ${JSON.stringify(description)} }}{{ $codes = list${code === undefined ? "" : ` ${JSON.stringify(code)}`} }}`,
  );
  return `
{{ $fault := or (index (.metadata.annotations | default dict) ${JSON.stringify(annotation)}) .spec.secretBindingName }}
{{ $description := "" }}{{ $codes := list }}
${cases.join("")}
{{ end }}
lastErrors:
- description: {{ printf "task \\"Waiting until shoot infrastructure has been reconciled\\" failed: %s" $description | Quote }}
  taskID: Waiting until shoot infrastructure has been reconciled
  {{ if $codes }}
  codes: [{{ join ", " $codes }}]
  {{ end }}
  ${SIGNATURE}
lastOperation:
  state: ${state}
  description: {{ printf "Flow %q encountered task errors: %s" "Shoot cluster reconciliation" $description | Quote }}
  ${SIGNATURE}
`;
}
