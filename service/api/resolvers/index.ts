import { Annotations, DateTime, JSON_VALUE, Period } from "../scalars";
import * as runtimes from "../runtimes";
import { mutations } from "./mutations";
import { queries } from "./queries";
import { subscriptions } from "./subscriptions";
import {
  AuditEntry,
  Deployment,
  Drift,
  Operation,
  OperationEvent,
  Orphan,
  Outcome,
  Rollout,
  RolloutItem,
  Runtime,
  Stage,
} from "./types";

/** All resolvers that do more than read a field of a row. */
export const resolvers = {
  Annotations,
  AuditEntry,
  DateTime,
  JSON: JSON_VALUE,
  Labels: runtimes.Labels,
  Query: { ...queries, ...runtimes.queries },
  Mutation: { ...mutations, ...runtimes.mutations },
  Subscription: subscriptions,
  Deployment,
  Drift,
  Orphan,
  Rollout,
  RolloutItem,
  Operation,
  OperationEvent,
  Outcome,
  OperationStatus: runtimes.OperationStatus,
  Period,
  Runtime,
  RuntimeConfig: runtimes.RuntimeConfig,
  RuntimeStatus: runtimes.RuntimeStatus,
  Stage,
};
