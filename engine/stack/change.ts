import type { Deployment } from "../../components/runtime/request/deployment";
import { isObject } from "../../foundation/json/isObject";
import { withoutUndefined } from "../../foundation/json/withoutUndefined";

/**
 * The fields of a deployment that a command line or a file may set. `resources`, `cluster`, `kyma` and `runtime` replace
 * the whole of what they name.
 */
export type DeploymentChange = Partial<Omit<Deployment, "id">>;

/** The changes of one `runtime up`. A field that is not set keeps its value. */
export interface RuntimeChange {
  readonly deployment: DeploymentChange;
  /** Platform stack, `organization/project/stack`. */
  readonly platform?: string;
  /** Provisioner to which this update may move the runtime; null revokes an earlier permission. */
  readonly move?: string | null;
  /** Kept disk that a new runtime uses, as claim or namespace/claim. Default: a new disk. */
  readonly disk?: string;
}

/** Config of a runtime stack as in its stack file, without the project prefix. */
export interface RuntimeConfig {
  readonly platform?: unknown;
  readonly deployment?: unknown;
  readonly move?: unknown;
}

/**
 * Adds keys that only the temporary stack file of one run has: the digest of the previous request, the command, what to
 * adopt. `deployed` is only in the stack file itself.
 */
export interface RunConfig extends RuntimeConfig {
  readonly base?: unknown;
  readonly command?: unknown;
  readonly adopt?: unknown;
  readonly disk?: unknown;
  readonly only?: unknown;
  readonly operation?: unknown;
  readonly deployed?: unknown;
}

/**
 * Applies a change to a config. Fields that the change does not name stay, including unknown ones. Annotations are
 * merged by key; an empty value removes a key.
 */
export function applyChange(before: RuntimeConfig, change: RuntimeChange, defaultPlatform: string): RuntimeConfig {
  const old = isObject(before.deployment) ? before.deployment : {};
  const { annotations, ...fields } = change.deployment;
  const given = withoutUndefined(fields);
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

/** A renamed database keeps its password version. Configs without resources are skipped. */
function keepPassword(deployment: Record<string, unknown>, old: Record<string, unknown>): void {
  const clickhouse = (resources: unknown): unknown => (isObject(resources) ? resources.clickhouse : undefined);
  const [asked, before] = [clickhouse(deployment.resources), clickhouse(old.resources)];
  if (isObject(deployment.resources) && asked === undefined) delete deployment.resources;
  if (!isObject(asked) || !isObject(before) || before.passwordVersion === undefined) return;
  deployment.resources = { clickhouse: { passwordVersion: before.passwordVersion, ...asked } };
}

/** Lists the command line flags that a first `up` requires and the config lacks. */
export function missingFlags(config: RuntimeConfig): string[] {
  const deployment = isObject(config.deployment) ? config.deployment : {};
  return deployment.version === undefined && deployment.cluster === undefined ? ["--version"] : [];
}
