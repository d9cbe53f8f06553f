/** What the package schema says of a TerasliceJob. */

import { cluster, clusterUid, context, kubeconfig } from "../../framework/clusterFields";
import { ANY_OBJECT, count, once, text } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "A job registered with a Teraslice master, and run as wanted.",
  inputs: {
    kubeconfig,
    context,
    cluster,
    namespace: once(text("Namespace of the master and of the pods of jobs.")),
    service: once(text("Service of the master.")),
    port: count("Port of the Service. Default: 5678."),
    owner: once(text("Label by which the job is found again at the master.")),
    job: { ...ANY_OBJECT, description: "The job as the master is sent it." },
    state: text("running or registered. Default: running."),
    assets: { type: "array", items: ANY_OBJECT, description: "Asset bundles as {path, sha256}." },
    footprint: text("What the master will make of it, as the documents of a YAML text."),
    timeoutSeconds: count("Seconds until it has to run, or to be gone. Default: 600."),
    responseSeconds: count("Seconds that the master may take to carry out a request. Default: 300."),
  },
  required: ["cluster", "namespace", "service", "owner", "job"],
  outputs: { jobId: text("The id that the master gave it."), clusterUid },
  optional: ["clusterUid"],
} satisfies ResourceSchema;
