/** Package schema of TerasliceJob. */

import { cluster, clusterUid, context, kubeconfig } from "../../framework/clusterFields";
import { countField, listField, objectField, once, plainField, textField } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "A job that is registered with a Teraslice master, and running if requested.",
  inputs: {
    kubeconfig,
    context,
    cluster,
    namespace: once(textField("Namespace of the master and of the pods of jobs. Changing it replaces the job.")),
    service: once(
      textField(
        "Service of the master, which is reached through the Kubernetes API server. Changing it replaces the job.",
      ),
    ),
    port: countField("Port of the Service. Default: 5678."),
    owner: once(
      textField(
        "Identifies the job at the master: the job has it as its label `stackyard`. Changing it replaces the job.",
      ),
    ),
    job: objectField("The job as sent to the master, without `job_id`."),
    state: textField("`running` or `registered`. Default: `running`."),
    assets: listField("TerasliceAsset", "Asset bundles to upload before the job is registered. Default: none."),
    footprint: textField(
      "Objects that the master will create for the job, as YAML documents in a string. Used by the preview and to check whether the job can run. It is a string because the engine needs half a minute for the plain objects of a thousand jobs. Default: none.",
    ),
    timeoutSeconds: countField("Seconds until the job must be running, or be gone. Default: 600."),
    responseSeconds: countField(
      "Seconds after which the master gives up on a response. Default: 300, as in Teraslice.",
    ),
  },
  required: ["cluster", "namespace", "service", "owner", "job"],
  outputs: { jobId: textField("Id of the job at the master."), clusterUid },
  optional: ["clusterUid"],
  types: {
    TerasliceAsset: {
      type: "object",
      description: "An asset bundle of a job.",
      properties: {
        path: plainField(textField("Path of the zip file, relative to the folder of the program.")),
        sha256: plainField(textField("SHA-256 of its content, hexadecimal. A change uploads it again.")),
      },
      required: ["path", "sha256"],
    },
  },
} as const satisfies ResourceSchema;
