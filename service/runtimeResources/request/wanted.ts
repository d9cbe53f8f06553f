import { mismatch, renderPath, type Fault } from "../../../foundation/schema/faults";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { TENANT } from "../../api/auth/identity";
import type { ClusterDefaults, Stored } from "../../api/context";
import { clusterWith } from "../../api/runtimes/request";
import { LABELS } from "../kind";
import { clusterFaults, clusterOf } from "./cluster";
import { readSpec } from "./spec";

/** The deployment that a Runtime asks for. */
export interface Wanted {
  /** Id of the deployment: the runtime's. */
  readonly id: string;
  readonly tenant: string;
  readonly cluster: Stored;
}

/** An id that can be part of the name of a Secret. */
const ID = /^[a-z0-9]([-a-z0-9.]{0,98}[a-z0-9])?$/;

const REQUIRED = [
  { label: LABELS.runtimeId, pattern: ID, expected: "the id of the runtime, in lower case" },
  { label: LABELS.globalAccount, pattern: TENANT, expected: "the id of the global account, which is the tenant" },
] as const;

/** Reads what a Runtime asks for. Each fault is a line with its path. Pure. */
export function wantedOf(
  { metadata: { labels = {} }, ...object }: KubeObject,
  defaults: ClusterDefaults = {},
): { readonly wanted: Wanted } | { readonly faults: readonly string[] } {
  const read = readSpec(object["spec"]);
  const faults: Fault[] = [
    ...REQUIRED.filter(({ label, pattern }) => !pattern.test(labels[label] ?? "")).map(({ label, expected }) =>
      mismatch(["metadata", "labels", label], JSON.stringify(labels[label]) ?? "nothing", expected),
    ),
    ...("faults" in read ? read.faults : clusterFaults(read.spec)),
  ];
  if (faults.length > 0 || "faults" in read) {
    return { faults: faults.map(({ path, message }) => `${renderPath(path)}: ${message}`) };
  }
  const tenant = labels[LABELS.globalAccount] ?? "";
  const cluster = clusterWith(clusterOf(read.spec), defaults, { tenant, subAccount: labels[LABELS.subAccount] });
  return { wanted: { id: labels[LABELS.runtimeId] ?? "", tenant, cluster } };
}
