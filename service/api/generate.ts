import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { codegen } from "@graphql-codegen/core";
import * as types from "@graphql-codegen/typescript";
import * as resolvers from "@graphql-codegen/typescript-resolvers";
import { parse } from "graphql";
import { format } from "prettier";
import { readSchema } from "./schema";

/** Path in the repository of the types generated from the schema. */
export const TYPES = "service/api/schema.types.ts";

const HEAD = `/* eslint-disable */
// Generated from the SDL in service/api by \`npm run generate\`; a test keeps it true.
import type { DeploymentRow, OperationRow, StageRow, EventRow, AuditRow, RolloutRow, RolloutItemRow, DriftRow, KeptDiskRecord } from "../database/tables";
import type { BundleRow } from "../database/watchTables";
import type { LifetimeView } from "../lifetimes/rules";
import type { Orphan as OrphanRow } from "../orphans/orphans";
import type { Plan as PlanRow, ProvisionerCapacity } from "./backend";
import type { ApiContext } from "./context";
import type { RuntimeContents as ContentsRow, SetCondition as ConditionRow } from "../../engine/runtime/contents";
import type { ConfigRow, NodeRow, OutcomeRow, RuntimeRow } from "./rows";
`;

const CONFIG = {
  useTypeImports: true,
  enumsAsTypes: true,
  immutableTypes: true,
  skipTypename: true,
  contextType: "ApiContext",
  scalars: {
    ID: { input: "string", output: "string" },
    DateTime: { input: "Date", output: "Date | string" },
    JSON: "unknown",
    Annotations: "Readonly<Record<string, string>>",
    Period: "number",
    Labels: "Readonly<Record<string, unknown>>",
  },
  mappers: {
    Node: "NodeRow",
    Deployment: "DeploymentRow",
    DeploymentConfig: "ConfigRow",
    Outcome: "OutcomeRow",
    Operation: "OperationRow",
    Stage: "StageRow",
    OperationEvent: "EventRow",
    AuditEntry: "AuditRow",
    Plan: "PlanRow",
    Provisioner: "ProvisionerCapacity",
    Runtime: "RuntimeRow",
    Rollout: "RolloutRow",
    RolloutItem: "RolloutItemRow",
    Drift: "DriftRow",
    Lifetime: "LifetimeView",
    RuntimeContents: "ContentsRow",
    SetCondition: "ConditionRow",
    Orphan: "OrphanRow",
    KeptDisk: "KeptDiskRecord",
    Bundle: "BundleRow",
    RuntimeStatus: "DeploymentRow",
    RuntimeConfig: "DeploymentRow",
    OperationStatus: "OperationRow",
  },
};

/** Generates the types of arguments and resolvers. */
export async function typesText(): Promise<string> {
  const text = await codegen({
    filename: TYPES,
    schema: parse(readSchema(__dirname)),
    documents: [],
    config: {},
    plugins: [{ types: CONFIG }, { resolvers: CONFIG }],
    pluginMap: { types, resolvers },
  });
  return format(`${HEAD}${text}`, { parser: "typescript", printWidth: 120 });
}

if (require.main === module) {
  void typesText().then((text) => {
    writeFileSync(join(__dirname, "../..", TYPES), text);
    console.log(`wrote ${TYPES}`);
  });
}
