/** Inputs of a Shoot and their check. */

import { isObject } from "../../../foundation/json/isObject";
import type { InputCheck } from "../../../foundation/pulumi/inputCheck";
import { UNKNOWN, type Properties } from "../../../foundation/pulumi/resource";
import { isLabel, LABEL_RULE } from "../../../kubernetes/objects/names";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import type { AuditLogTenants } from "../../../kubernetes/gardener/auditLog";
import { GARDENER, type ShootFacts } from "../../../kubernetes/gardener/shoot";
import type { Stage } from "../../../kubernetes/gardener/judge";
import { checkInputs, type CheckedInputs, type InputRules, type InputsOf } from "../../framework/resourceSchema";
import { CLUSTER_RULES } from "../../framework/clusterFields";
import { checkRecord } from "../../framework/record";
import { schema } from "./shootSchema";

/** In seconds. */
export type Timeouts = Readonly<Partial<Record<Stage, number>>>;

interface Narrowed {
  readonly shoot: KubeObject;
  readonly timeouts?: Timeouts;
  readonly auditLogs?: AuditLogTenants;
  /**
   * Random id of this resource, chosen before the creation, so that the Shoot of a killed creation can be identified.
   */
  readonly instance?: string;
}

export type ShootInputs = InputsOf<typeof schema, never, Narrowed>;

export interface ShootState extends ShootInputs, Partial<ShootFacts> {
  readonly cpu?: number;
  readonly memoryGb?: number;
  readonly incomplete?: boolean;
  /** UID of the garden; undefined in older states, or if the user may not read it. */
  readonly gardenUid?: string;
  /** Generation of the record of the owner after the last change. */
  readonly ownerGeneration?: number;
  /** Set by the engine's driver: the last update was interrupted. */
  readonly interrupted?: boolean;
}

/** Stages of the Kyma Runtime Provisioner with their default time limits, in seconds. */
export const STAGE_SECONDS: Readonly<Record<Stage, number>> = {
  WaitingForClusterDomain: 600,
  WaitingForClusterCreation: 3600,
  WaitingForShootNewVersion: 300,
  WaitingForShootUpgrade: 1800,
  WaitForHibernation: 3600,
  DeprovisionCluster: 1800,
  WaitForClusterDeletion: 3600,
};

export const shootId = ({ shoot: { metadata } }: ShootInputs): string => `${metadata.namespace}/${metadata.name}`;

const RULES: InputRules = {
  ...CLUSTER_RULES,
  operationId: ["the id of an operation"],
  adopt: ["the owner id that the Shoot has"],
  expectedGardenUid: ["a UID"],
  timeouts(check, timeouts) {
    if (!isObject(timeouts)) return check.fail("timeouts", typeof timeouts, "an object of seconds by stage");
    check.keys("timeouts", timeouts, Object.keys(STAGE_SECONDS));
    for (const [stage, seconds] of Object.entries(timeouts)) check.positive(`timeouts.${stage}`, seconds);
  },
  auditLogs(check, logs) {
    if (!isObject(logs)) check.fail("auditLogs", typeof logs, "an object of regions by provider");
  },
  shoot: checkManifest,
  record: checkRecord,
};

export const checkShoot = (given: Properties): CheckedInputs => checkInputs(schema, given, RULES);

function checkManifest(check: InputCheck, shoot: unknown): void {
  if (!isObject(shoot)) return check.fail("shoot", typeof shoot, "a Shoot with apiVersion, kind, metadata and spec");
  check.text("shoot.apiVersion", shoot["apiVersion"], GARDENER, (text) => text === GARDENER);
  check.text("shoot.kind", shoot["kind"], "Shoot", (text) => text === "Shoot");
  const metadata = isObject(shoot["metadata"]) ? shoot["metadata"] : {};
  check.text("shoot.metadata.name", metadata["name"], LABEL_RULE, isLabel);
  check.text("shoot.metadata.namespace", metadata["namespace"], LABEL_RULE, isLabel);
  if (shoot["spec"] !== UNKNOWN && !isObject(shoot["spec"]))
    check.fail("shoot.spec", typeof shoot["spec"], "an object");
}
