import type { WantedClickHouse } from "../../components/clickhouse/settings";
import type { ClusterRequest } from "../../components/runtime/request/cluster/shape";
import type { KymaRequest } from "../../components/runtime/request/kyma/schema";
import type { Registration } from "../../components/runtime/request/registration";
import { isObject } from "../../foundation/json/isObject";

/** The fields of a deployment that a command line or a file may set; see `Deployment` for their meaning. */
export interface DeploymentChange {
  readonly slots?: number;
  readonly version?: string;
  readonly environment?: string;
  readonly diskGb?: number;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly provisioner?: string;
  /** What it is to have besides its runtime; an empty object for nothing. */
  readonly resources?: { readonly clickhouse?: WantedClickHouse };
  /** The whole of its cluster; fields that are not set go back to the provisioner's defaults. */
  readonly cluster?: ClusterRequest;
  /** The whole of its Kyma. */
  readonly kyma?: KymaRequest;
  /** What it is registered with in a Director. */
  readonly runtime?: Registration;
  readonly state?: "running" | "hibernated";
}

/** What one `runtime up` changes. A field that is not set keeps its value. */
export interface RuntimeChange {
  readonly deployment: DeploymentChange;
  /** Platform stack, `organization/project/stack`. */
  readonly platform?: string;
  /** Provisioner to which a move is allowed this time; null takes an earlier permission back. */
  readonly move?: string | null;
}

/** Config of a runtime stack as its stack file holds it, without the project prefix. */
export interface RuntimeConfig {
  readonly platform?: unknown;
  readonly deployment?: unknown;
  readonly move?: unknown;
}

/** Keys that only one run's copy of a stack file has: the digest of the request that it was made from, the command, what to adopt. */
export interface RunConfig extends RuntimeConfig {
  readonly base?: unknown;
  readonly command?: unknown;
  readonly adopt?: unknown;
  readonly only?: unknown;
  readonly operation?: unknown;
}

/**
 * The config after a change. Fields that the change does not name stay as they are, known to us or not;
 * annotations are merged key by key, an empty value takes one away.
 */
export function applyChange(before: RuntimeConfig, change: RuntimeChange, defaultPlatform: string): RuntimeConfig {
  const old = isObject(before.deployment) ? before.deployment : {};
  const { annotations, ...fields } = change.deployment;
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const deployment: Record<string, unknown> = { ...old, ...given };
  if (annotations !== undefined) {
    const merged = { ...(isObject(old.annotations) ? old.annotations : {}), ...annotations };
    deployment.annotations = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ""));
  }
  keepPassword(deployment, old);
  if (deployment.cluster === undefined) deployment.slots ??= 1;
  const move = change.move === undefined ? before.move : (change.move ?? undefined);
  return {
    ...before,
    platform: change.platform ?? before.platform ?? defaultPlatform,
    deployment,
    ...(move === undefined ? { move: undefined } : { move }),
  };
}

/** A database that is requested by another name keeps the version of its password; resources without any are skipped. */
function keepPassword(deployment: Record<string, unknown>, old: Record<string, unknown>): void {
  const clickhouse = (resources: unknown): unknown => (isObject(resources) ? resources.clickhouse : undefined);
  const [asked, before] = [clickhouse(deployment.resources), clickhouse(old.resources)];
  if (isObject(deployment.resources) && asked === undefined) delete deployment.resources;
  if (!isObject(asked) || !isObject(before) || before.passwordVersion === undefined) return;
  deployment.resources = { clickhouse: { passwordVersion: before.passwordVersion, ...asked } };
}

/** Flags that a first `up` cannot do without, in the words of the command line; empty when nothing is missing. */
export function missingFlags(config: RuntimeConfig): string[] {
  const deployment = isObject(config.deployment) ? config.deployment : {};
  return deployment.version === undefined && deployment.cluster === undefined ? ["--version"] : [];
}
