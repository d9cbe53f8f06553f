import * as pulumi from "@pulumi/pulumi";
import type { PreparedDatabase } from "../clickhouse/prepare";
import { hasSecretEntries } from "../request/kyma/schema";
import { isByService, type Change, type RuntimeRecord } from "../record/record";
import type { OwnOutputs, RuntimeOptions } from "./runtimeType";
import type { PlanBase } from "../planBase";

/** The request, as stored in the state with its resources. */
export function recordOf(
  { deployment, provisioner }: PlanBase,
  { platform, command, secretDeployment, clickhouse, present, fromService = [] }: RuntimeOptions,
  revision: string | undefined,
): pulumi.Input<Record<string, unknown>> {
  const change = { command, at: new Date().toISOString() };
  const protection = deployment.protected === true && protectionBy(change, present?.latest);
  const clickhouseRevision = clickhouse && (clickhouse.revision ?? present?.record?.clickhouseRevision);
  const revisions = { ...(revision && { revision }), ...(clickhouseRevision && { clickhouseRevision }) };
  const served = fromService.length > 0 && { serviceDefaults: [...fromService] };
  const record: RuntimeRecord = { deployment, platform, provisioner, ...revisions, ...served, change, ...protection };
  const isSecret = secretDeployment || (deployment.kyma !== undefined && hasSecretEntries(deployment.kyma));
  return isSecret ? pulumi.secret({ ...record }) : { ...record };
}

/** A service keeps the protection of whatever it changes. */
function protectionBy(change: Change, before: RuntimeRecord | undefined): Pick<RuntimeRecord, "protection"> {
  const { protection } = before ?? {};
  const isNew = before?.deployment.protected !== true || (isByService(change) && !isByService(protection));
  return isNew ? { protection: change } : { ...(protection && { protection }) };
}

/** The output for a database. Without access there is no output, rather than an empty one. */
export const clickhouseOutput = (
  database: ReturnType<PreparedDatabase["create"]> | undefined,
): Pick<OwnOutputs, "clickhouse"> => (database?.access === undefined ? {} : { clickhouse: database.access });
