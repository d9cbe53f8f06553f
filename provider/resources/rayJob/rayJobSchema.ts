/** Package schema of RayJob. */

import { cluster, clusterUid, context, kubeconfig } from "../../framework/clusterFields";
import { countField, objectField, once, plainField, textField } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

const numberField = (description: string) => ({ type: "number", description }) as const;

export const schema = {
  description:
    "A job of a Ray cluster, submitted through Ray's jobs API. A change of what runs submits it again; a deletion stops it.",
  inputs: {
    kubeconfig,
    context,
    cluster,
    namespace: once(textField("Namespace of the Ray cluster. Changing it replaces the job.")),
    service: once(
      textField(
        "Service of the cluster's head, which is reached through the Kubernetes API server. Changing it replaces the job.",
      ),
    ),
    port: countField("Port of the dashboard at the Service. Default: 8265."),
    tokenSecret: textField(
      "Secret in the namespace with the cluster's token in its key `auth_token`. Default: the cluster requires none.",
    ),
    owner: once(
      textField(
        "Identifies the job in the Ray cluster: its runs have it as the metadata `stackyard`. Changing it replaces the job.",
      ),
    ),
    entrypoint: textField("Command line that Ray runs in a shell."),
    workingDir: {
      $ref: "#/types/stackyard:index:RayWorkingDir",
      description: "Folder that the job runs in a copy of. Default: none, or `working_dir` of `runtimeEnv`.",
    },
    runtimeEnv: objectField(
      "Runtime environment, with the keys that Ray documents, such as `pip` and `env_vars`. Default: none.",
    ),
    cpus: numberField("CPUs that the entrypoint itself reserves. Default: none; it runs on the head."),
    gpus: numberField("GPUs that the entrypoint itself reserves. Default: none."),
    memoryGb: numberField("Memory in GB that the entrypoint itself reserves. Default: none."),
    resources: {
      type: "object",
      additionalProperties: { type: "number" },
      description: "Custom resources that the entrypoint itself reserves. Default: none.",
    },
    metadata: {
      type: "object",
      additionalProperties: { type: "string" },
      description: "Metadata that Ray shows with the job. Default: none.",
    },
    retries: countField("How often a failed run is repeated in an update. Default: 0."),
    waitFor: textField("`completed` or `running`: what an update waits for. Default: `completed`."),
    timeoutSeconds: countField(
      "Seconds until the job must be completed, or run, with all retries. It is stopped then. Default: 3600.",
    ),
  },
  required: ["cluster", "namespace", "service", "owner", "entrypoint"],
  outputs: {
    submissionId: textField("Id of the last run in the Ray cluster."),
    status: textField("Status of the last run: `SUCCEEDED`, or `RUNNING` if the update did not wait for its end."),
    clusterUid,
  },
  optional: ["clusterUid"],
  types: {
    RayWorkingDir: {
      type: "object",
      description: "The folder of a job.",
      properties: {
        path: plainField(textField("Path of the folder, relative to the folder of the program.")),
        sha256: plainField(textField("SHA-256 of its content, hexadecimal. A change submits the job again.")),
      },
      required: ["path", "sha256"],
    },
  },
} as const satisfies ResourceSchema;
