/** The package schema: what `pulumi import`, `pulumi package` and policies want to know of our resources. */

import { clickHouseInputs, clickHouseOutputs } from "./resources/clickHouseDatabase/schema";
import { releaseInputs, releaseOutputs } from "./resources/bundleRelease/schema";
import { ANY_OBJECT, count, flag, kept, once, outcome, secret, text } from "./framework/fields";
import { clusterUid, context, kubeconfig } from "./framework/clusterFields";
import { version } from "./version";

const host = {
  type: "object",
  description: "One pre-provisioned runtime of a pool.",
  properties: {
    host: text("URL of the runtime; identifies it in the whole ledger."),
    slots: count("How many slots it has."),
    dataDir: text("Directory for data on that host."),
    audienceUrl: text("Audience (JWT) of the runtime."),
    weight: { type: "number", description: "Relative share of load. Default: 1." },
    drain: flag("True keeps what it has and gives it nothing new. Default: false."),
  },
  required: ["host", "slots", "dataDir", "audienceUrl"],
};

const record = { ...ANY_OBJECT, description: "Kept in the state with the resource; applied nowhere." };

const ledgerUrl = secret("PostgreSQL URL of the ledger.");

const poolInputs = {
  ledgerUrl,
  pool: once(text("Name of the pool: <platform stack>/<provisioner>.")),
  hosts: { type: "array", items: { $ref: "#/types/stackyard:index:PoolHost" }, description: "The hosts." },
};

const slotInputs = {
  ledgerUrl,
  pool: once(text("Pool to take from.")),
  deployment: once(text("Deployment that the slots are for.")),
  slots: count("Number of slots, 1 or more."),
  allowMove: flag(
    "Whether it may move to another host: a change that does not fit, or all of it off a drained host. Default: false.",
  ),
  record,
};

const slotOutputs = {
  host: text("URL of the runtime that was chosen."),
  audienceUrl: text("Audience (JWT) of that runtime."),
  dataDir: text("Directory for data on that runtime."),
};

const registrationInputs = {
  kubeconfig,
  context,
  platform: text("Platform stack, organization/project/stack."),
  provisioner: text("Name of the provisioner."),
  namespace: text("Namespace of what deployments get from it."),
  url: secret("URL of the ClickHouse server instead of cluster and namespace, with a user who sees all databases."),
  gives: text("clickhouse: what deployments get from it. Left out: their runtime."),
  alone: flag("Whether no other provisioner of the platform has the same cluster and namespace, or the same server."),
};

const setInputs = {
  kubeconfig,
  context,
  cluster: text("Address of the cluster, its server URL. What counts is the UID of the cluster."),
  set: once(text("Name of the set, unique in its namespace.")),
  namespace: once(text("Namespace of objects that name none.")),
  objects: { type: "array", items: ANY_OBJECT, description: "Complete Kubernetes objects, applied in order." },
  as: text("User to be impersonated."),
  timeoutSeconds: count("Seconds until everything has to be ready. Default: 300."),
  ping: { ...ANY_OBJECT, description: "What to ask after everything is rolled out." },
  claimsWhenDeleted: text("Retain or Delete: what becomes of claims on destroy."),
  claimsWhenSmaller: text(
    "Refuse or Keep: what becomes of claims when less is asked for than they have. Default: Refuse.",
  ),
  allowMove: flag("Whether a change that would replace the set is made. False: it is an error. Default: true."),
  adopt: text("Owner id of objects that are there already: creating the set takes them over and applies nothing."),
  record,
  removeFirst: flag("Remove what left the set before the new objects are applied. Default: false."),
  protectData: flag("Refuse to delete claims that stackyard:allowDataLoss does not name. Default: false."),
  outcome,
};

const setOutputs = {
  inventory: { type: "array", items: { type: "string" }, description: "What is in the cluster." },
  storageBytes: { type: "number", description: "What the bound claims really have, in bytes." },
  ownerId: text("Which instance of the set this is; its objects are annotated with it."),
  clusterUid,
  incomplete: flag("True while the last update did not come to its end."),
  kept,
};

const jobInputs = {
  kubeconfig: setInputs.kubeconfig,
  context: setInputs.context,
  cluster: setInputs.cluster,
  namespace: once(text("Namespace of the master and of the pods of jobs.")),
  service: once(text("Service of the master.")),
  port: count("Port of the Service. Default: 5678."),
  owner: once(text("Label by which the job is found again at the master.")),
  job: { ...ANY_OBJECT, description: "The job as the master is sent it." },
  state: text("running or registered. Default: running."),
  assets: { type: "array", items: ANY_OBJECT, description: "Asset bundles as {path, sha256}." },
  footprint: text("What the master will make of it, as the documents of a YAML text."),
  timeoutSeconds: count("Seconds until it has to run, or to be gone. Default: 600."),
};

const guardInputs = {
  kubeconfig: setInputs.kubeconfig,
  context: setInputs.context,
  parts: {
    type: "array",
    items: ANY_OBJECT,
    secret: true,
    description: "What holds data: sets, bundles and Helm releases, each as { type, namespace, name } and its cluster.",
  },
};

const OPTIONAL_OUTPUTS = new Set([
  "password",
  "storageBytes",
  "clusterUid",
  "sourceDigests",
  "drift",
  "incomplete",
  "kept",
]);

const resource = (
  description: string,
  inputs: Readonly<Record<string, object>>,
  requiredInputs: readonly string[],
  outputs: Readonly<Record<string, object>> = {},
) => ({
  description,
  inputProperties: inputs,
  requiredInputs,
  properties: { ...inputs, ...outputs },
  required: [...requiredInputs, ...Object.keys(outputs).filter((key) => !OPTIONAL_OUTPUTS.has(key))],
});

/** The schema as JSON. */
export const schema: string = JSON.stringify({
  name: "stackyard",
  version,
  description:
    "What no other provider has: slots in a ledger, sets of manifests and bundles applied as one, databases in ClickHouse, jobs of Teraslice.",
  types: { "stackyard:index:PoolHost": host },
  resources: {
    "stackyard:index:StaticPool": resource("A pool of slots in the ledger.", poolInputs, [
      "ledgerUrl",
      "pool",
      "hosts",
    ]),
    "stackyard:index:SlotAllocation": resource(
      "Slots of one pool taken for one deployment.",
      slotInputs,
      ["ledgerUrl", "pool", "deployment", "slots"],
      slotOutputs,
    ),
    "stackyard:index:ProvisionerRegistration": resource(
      "A provisioner of a platform that no ledger knows, which is not removed while deployments are with it.",
      registrationInputs,
      ["platform", "provisioner", "alone"],
    ),
    "stackyard:index:ManifestSet": resource(
      "A set of Kubernetes manifests applied, awaited, changed and deleted as one.",
      setInputs,
      ["cluster", "set", "namespace", "objects"],
      setOutputs,
    ),
    "stackyard:index:BundleRelease": resource(
      "The content of a bundle applied, awaited, changed, pruned and deleted as one.",
      releaseInputs,
      ["cluster", "name", "namespace", "sources"],
      releaseOutputs,
    ),
    "stackyard:index:ClusterIdentity": resource(
      "What a cluster is known by, whatever its address. Makes nothing.",
      { kubeconfig: setInputs.kubeconfig, context: setInputs.context, cluster: setInputs.cluster },
      ["cluster"],
      { identifier: text("UID of the cluster; its address where the user may not read that.") },
    ),
    "stackyard:index:DataGuard": resource(
      "Refuses that parts of a platform are deleted with claims that stackyard:allowDataLoss does not name.",
      guardInputs,
      ["parts"],
    ),
    "stackyard:index:ClickHouseDatabase": resource(
      "A database and its user on a ClickHouse server that many share.",
      clickHouseInputs,
      ["url", "database", "user", "owner"],
      clickHouseOutputs,
    ),
    "stackyard:index:TerasliceJob": resource(
      "A job registered with a Teraslice master, and run as wanted.",
      jobInputs,
      ["cluster", "namespace", "service", "owner", "job"],
      { jobId: text("The id that the master gave it."), clusterUid },
    ),
  },
});
