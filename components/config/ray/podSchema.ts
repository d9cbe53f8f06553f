import { z } from "zod";
import { MOST_STORE } from "../../ray/clusters";
import { count, matching, NAMESPACE, oneOf, strict } from "../fields";

/** What a Ray pod may have besides, in the words of Kubernetes: of all pods of a cluster, of the head, of a worker group. */

const text = (expected = "a text") => z.string({ error: expected });
const object = (expected: string) => z.record(z.string(), z.unknown(), { error: expected });
const texts = (of: string) => z.record(z.string(), text(), { error: `an object of ${of}` });

/** An object of Kubernetes with a name, of which we know no more. */
const named = (expected: string) =>
  z.looseObject(
    { name: matching(NAMESPACE, "a legal name: a-z, 0-9 and inner -").describe("Its name; the rest is Kubernetes'.") },
    { error: expected },
  );
const list = <Item extends z.ZodType>(item: Item, of: string) =>
  z.array(item, { error: `a list of ${of}` }).default([]);

const mount = z.looseObject(
  {
    name: text("the name of a volume").describe("Name of a volume."),
    mountPath: matching(/^\/[^:]*$/, "an absolute path").describe("Where it is; the rest is Kubernetes'."),
  },
  { error: "an object with name, mountPath" },
);

const source = strict("an object with valueFrom", {
  valueFrom: object("an object with secretKeyRef, configMapKeyRef, …"),
});
const variable = z.union([text(), source], { error: "a text, or an object with valueFrom" });

/** Fields of every pod and, for one kind of pod, of its own. */
export const podFields = {
  env: z
    .record(matching(/^[A-Za-z_][\w.-]*$/, "the name of a variable"), variable, { error: "an object of variables" })
    .default({})
    .describe("Environment of Ray's containers: a text, or `{ valueFrom: … }`, where secrets come from."),
  envFrom: list(object("an object with secretRef or configMapRef"), "objects with secretRef or configMapRef").describe(
    "Secrets and ConfigMaps whose keys are all variables of Ray's containers.",
  ),
  volumes: list(named("a volume, which is an object with name"), "volumes").describe("Volumes."),
  volumeMounts: list(mount, "objects with name, mountPath").describe("Where Ray's containers have them."),
  initContainers: list(named("a container, which is an object with name"), "containers").describe(
    "Containers before Ray's.",
  ),
  containers: list(named("a container, which is an object with name"), "containers").describe(
    "Containers beside Ray's.",
  ),
  labels: texts("labels").default({}).describe("Labels."),
  annotations: texts("annotations").default({}).describe("Annotations."),
  priorityClassName: matching(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, "the name of a priority class")
    .optional()
    .describe("Priority class."),
  topologySpreadConstraints: list(object("an object with topologyKey"), "objects with topologyKey").describe(
    "How pods are spread. Without a `labelSelector`: the pods of the same kind.",
  ),
};

const SHARE = `a number above 0, ${MOST_STORE} at most`;
export const objectStoreShare = () =>
  z.number({ error: SHARE }).gt(0, { error: SHARE }).max(MOST_STORE, { error: SHARE });

export const containerPorts = () =>
  list(
    z.looseObject(
      {
        name: matching(/^[a-z0-9]([a-z0-9-]{0,13}[a-z0-9])?$/, "a name of 15 characters at most").describe("Its name."),
        containerPort: count("a port from 1 to 65535", 65_535).describe("Port."),
        protocol: oneOf(["TCP", "UDP", "SCTP"]).optional().describe("Default: `TCP`."),
      },
      { error: "an object with name, containerPort" },
    ),
    "objects with name, containerPort",
  );

/** Where Ray's workers listen; it refuses another use of these ports. */
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
