import { Annotations, DateTime, JSON_VALUE } from "../scalars";
import { mutations } from "./mutations";
import { queries } from "./queries";
import { subscriptions } from "./subscriptions";
import { Deployment, Drift, Operation, OperationEvent, Orphan, Rollout, RolloutItem, Runtime, Stage } from "./types";

/** Everything that is more than reading a field of a row. */
export const resolvers = {
  Annotations,
  DateTime,
  JSON: JSON_VALUE,
  Query: queries,
  Mutation: mutations,
  Subscription: subscriptions,
  Deployment,
  Drift,
  Orphan,
  Rollout,
  RolloutItem,
  Operation,
  OperationEvent,
  Runtime,
  Stage,
};
