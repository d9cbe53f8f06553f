import { dump } from "js-yaml";
import { clusterNames, PORTS } from "../../podConfig/names";
import type { TerasliceSettings } from "../../settings";
import { MOST_WORKERS_BY_DEFAULT, NAMELESS, type JobFields } from "../fields";
import { mergeOverride, type JsonMap } from "../merge";
import { submitted, type TerasliceJob } from "../settings";
import { objectLabels, podLabels, selectorLabels, type ExecutionIds, type Role } from "./labels";
import { footprintNames } from "./names";
import { podSpec } from "./pod";

/** A complete Kubernetes object. */
type Manifest = JsonMap;

/** The objects that a master creates when it starts a job, in order of creation. */
interface Footprint {
  /** Job of the execution controller. */
  readonly controller: Manifest;
  /** Its Service, which workers connect to. */
  readonly service: Manifest;
  /** Deployment of the workers. */
  readonly workers: Manifest;
}

/** Placeholder for the UID of the Job, which owns the other two objects. */
export const UID = "<uid of the Job>";

/** The three objects of a checked job, without the variable that contains the execution. */
export function footprint(job: TerasliceJob, settings: TerasliceSettings, ids: ExecutionIds): Footprint {
  const fields: JobFields = submitted(job, settings);
  const { namespace } = clusterNames(settings);
  const names = footprintNames(fields.name ?? NAMELESS, ids.jobId);
  const labelsOf = (role: Role) => objectLabels(role, fields, settings, ids);
  const ownerReferences = [
    {
      apiVersion: "batch/v1",
      kind: "Job",
      name: names.controller,
      uid: UID,
      controller: false,
      blockOwnerDeletion: false,
    },
  ];
  const template = (role: Role, name: string): object => ({
    metadata: { labels: podLabels(role, fields, settings, ids) },
    spec: overridden(podSpec(role, name, fields, settings), fields, settings),
  });
  const port = PORTS.executionController;
  const found = selectorLabels("execution_controller", ids);
  const teraslice = { "app.kubernetes.io/name": "teraslice" };
  return {
    controller: {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: names.controller, namespace, labels: labelsOf("execution_controller") },
      spec: { template: template("execution_controller", names.controller) },
    },
    service: {
      apiVersion: "v1",
      kind: "Service",
      metadata: {
        name: names.service,
        namespace,
        labels: { ...teraslice, ...found, "teraslice.terascope.io/jobId": ids.jobId },
        ownerReferences,
      },
      spec: { selector: found, ports: [{ port, targetPort: port }] },
    },
    workers: {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: names.workers, namespace, labels: labelsOf("worker"), ownerReferences },
      spec: {
        replicas: fields.workers ?? MOST_WORKERS_BY_DEFAULT,
        selector: { matchLabels: { ...teraslice, ...selectorLabels("worker", ids) } },
        template: template("worker", names.workers),
      },
    },
  };
}

/** The objects as YAML documents. */
export const footprintText = ({ controller, service, workers }: Footprint): string =>
  [controller, service, workers]
    .map((each) => dump(each, { lineWidth: -1, noRefs: true }))
    .join("---\n")
    .trimEnd();

/** A null in the override removes a field. */
function overridden(spec: object, { pod_spec_override }: JobFields, { teraslice }: TerasliceSettings): unknown {
  if (!teraslice.kubernetes_overrides_enabled || pod_spec_override === undefined) return spec;
  return withoutNulls(mergeOverride(spec, pod_spec_override));
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, each]) => each !== null && each !== undefined);
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutNulls(each)]));
}
