import { randomUUID } from "node:crypto";
import { isObject } from "../../../foundation/json/isObject";
import type { DeploymentChange } from "../../../engine/stack/change";
import type { KymaConfigInput, ProvisionRuntimeInput } from "../schema.types";
import type { ClusterDefaults, Stored } from "../context";

/** The account that a cluster belongs to, from the request's headers. */
export interface Account {
  readonly tenant: string;
  readonly subAccount?: string | undefined;
}

const NAME_LENGTH = 7;
/** Generated names start with a letter, as Kubernetes requires. */
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** Builds the deployment that `provisionRuntime` requests. Pure, except that it generates a missing cluster name. */
export function deploymentOf(
  { runtimeInput, clusterConfig, kymaConfig }: ProvisionRuntimeInput,
  account: Account,
  defaults: ClusterDefaults = {},
  uuid: () => string = randomUUID,
): DeploymentChange {
  const { gardenerConfig, administrators } = clusterConfig;
  const said = plain({ ...gardenerConfig, administrators: namedOnly(administrators) }) as Stored;
  const cluster = clusterWith({ name: nameFrom(uuid()), ...said }, defaults, account);
  const { name, description, labels } = plain(runtimeInput) as Stored;
  const runtime = { name, description, labels };
  return plain({ cluster, runtime, kyma: kymaConfig && kymaOf(kymaConfig) }) as DeploymentChange;
}

/** The cluster of a request, with the settings of the environment. */
export const clusterWith = (
  said: Stored,
  { cluster, awsConfig, forced }: ClusterDefaults,
  { tenant, subAccount }: Account,
): Stored => ({
  ...cluster,
  ...withAws(said, awsConfig),
  ...forced,
  tenant,
  ...(subAccount && { subAccount }),
});

/** Kyma Environment Broker sends an empty text for a user that it does not know. */
export const namedOnly = <T>(administrators: readonly T[] | null | undefined): T[] | undefined =>
  administrators?.filter((name) => name !== "");

function withAws(said: Stored, defaults: Stored | undefined): Stored {
  const { providerSpecificConfig: block } = said;
  if (defaults === undefined || !isObject(block) || !isObject(block["awsConfig"])) return said;
  return { ...said, providerSpecificConfig: { ...block, awsConfig: { ...defaults, ...block["awsConfig"] } } };
}

export const kymaOf = (kyma: KymaConfigInput): Stored => plain(kyma) as Stored;

/** Returns seven characters of a UUID, starting with a letter. */
export function nameFrom(uuid: string): string {
  const [first = "0", ...rest] = uuid.replaceAll("-", "");
  const letter = /[a-z]/.test(first) ? first : (LETTERS[parseInt(first, 16)] ?? "a");
  return [letter, ...rest].slice(0, NAME_LENGTH).join("");
}

/** Removes null and undefined fields at any depth: in an input, both mean not set. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((each) => each !== null && each !== undefined).map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== null && each !== undefined)
      .map(([key, each]) => [key, plain(each)]),
  );
}
