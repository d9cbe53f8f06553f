/** What the package schema says of a TerasliceJob. */

import { cluster, clusterUid, context, kubeconfig } from "../../framework/clusterFields";
import { ANY_OBJECT, count, listOf, once, plain, text } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "A job registered with a Teraslice master, and run as wanted.",
  inputs: {
    kubeconfig,
    context,
    cluster,
    namespace: once(text("Namespace of the master and of the pods of jobs. Changing it replaces the job.")),
    service: once(
      text("Service of the master, which is reached through the Kubernetes API server. Changing it replaces the job."),
    ),
    port: count("Port of the Service. Default: 5678."),
    owner: once(
      text("Finds the job again at the master: the job has it as its label `stackyard`. Changing it replaces the job."),
    ),
    job: { ...ANY_OBJECT, description: "The job as the master is sent it, without `job_id`." },
    state: text("`running` or `registered`. Default: `running`."),
    assets: listOf("TerasliceAsset", "Asset bundles, handed over before the job is registered. Default: none."),
    footprint: text(
      "What the master will make of it, as the documents of a YAML text: for preview, and for the check whether it can run. A text, because a thousand jobs of plain objects would take the engine half a minute. Default: nothing.",
    ),
    timeoutSeconds: count("Seconds until it has to run, or to be gone. Default: 600."),
    responseSeconds: count("Seconds that the master itself lets an answer take. Default: 300, as Teraslice has it."),
  },
  required: ["cluster", "namespace", "service", "owner", "job"],
  outputs: { jobId: text("The id that the master gave it."), clusterUid },
  optional: ["clusterUid"],
  types: {
    TerasliceAsset: {
      type: "object",
      description: "An asset bundle of a job.",
      properties: {
        path: plain(text("Path of the zip file, relative to the folder of the program.")),
        sha256: plain(text("SHA-256 of its content, hexadecimal; another one is handed over again.")),
      },
      required: ["path", "sha256"],
    },
  },
} satisfies ResourceSchema;
