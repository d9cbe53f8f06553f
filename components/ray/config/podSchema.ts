import * as z from "zod";
import { MOST_STORE } from "../clusters";
import { count, matching, oneOf, strict, list } from "../../../foundation/schema/fields";
import { extraPodFields, object } from "../../charts/config/podFields";

/**
 * Schema of additional pod fields, named as in Kubernetes: for all pods of a cluster, for the head, for a worker group.
 */

/** Fields for all pods and for a single kind of pod. */
export const podFields = {
  ...extraPodFields("Ray's"),
  priorityClassName: matching(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, "the name of a priority class")
    .optional()
    .describe("Priority class."),
  topologySpreadConstraints: list(object("an object with topologyKey"), "objects with topologyKey").describe(
    "Topology spread constraints. Without a `labelSelector`, a constraint applies to the pods of the same group.",
  ),
};

const SHARE = `a number above 0, ${MOST_STORE} at most`;
export const objectStoreShare = () =>
  z.number({ error: SHARE }).gt(0, { error: SHARE }).max(MOST_STORE, { error: SHARE });

export const containerPorts = () =>
  list(
    z.looseObject(
      {
        name: matching(/^[a-z0-9]([a-z0-9-]{0,13}[a-z0-9])?$/, "a name of 15 characters at most").describe("Name."),
        containerPort: count("a port from 1 to 65535", 65_535).describe("Port."),
        protocol: oneOf(["TCP", "UDP", "SCTP"]).optional().describe("Default: `TCP`."),
      },
      { error: "an object with name, containerPort" },
    ),
    "objects with name, containerPort",
  );

/** Ports of Ray's worker processes. Ray rejects other uses of these ports. */
const WORKERS = { from: 10_002, to: 19_999 };
const PORT = `a port from 1 to 65535, not ${WORKERS.from} to ${WORKERS.to}, where Ray's workers listen`;

const port = (value: number, what: string) =>
  count(PORT, 65_535)
    .refine((given) => given < WORKERS.from || given > WORKERS.to, { error: PORT })
    .default(value)
    .describe(`${what}.`);

/** Ports of Ray's own processes. */
export const rayPorts = () =>
  strict("an object with gcs, client, dashboard, …", {
    gcs: port(6379, "The head's, to which workers come"),
    client: port(10_001, "Clients, `ray://…`"),
    dashboard: port(8265, "Dashboard and jobs"),
    nodeManager: port(22_346, "Node manager of every pod"),
    objectManager: port(22_345, "Object manager of every pod"),
    metrics: port(8080, "Metrics of every pod"),
    dashboardAgent: port(52_365, "Agent of every pod"),
  });
