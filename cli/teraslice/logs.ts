import type { KubeObject } from "../../kubernetes/objects/objects";
import type { Where } from "../../provider/resources/terasliceJob/leftovers";
import { Failure } from "../../foundation/errors";

/** Shows the last log lines of a job's pods, with the pod's name if there are several. */
export async function podLogs(
  { client, namespace }: Where,
  jobId: string,
  component: "worker" | "execution_controller",
  lines: number,
): Promise<string[]> {
  const label = `teraslice.terascope.io/jobId=${jobId},app.kubernetes.io/component=${component}`;
  const pods = await client.list({ apiVersion: "v1", kind: "Pod", namespace }, { label });
  if (pods.length === 0) throw new Failure(`no pod of the job exists; see its errors with: stackyard teraslice errors`);
  const read = async ({ metadata, spec }: KubeObject): Promise<string[]> => {
    const { containers = [] } = (spec ?? {}) as { containers?: { name: string }[] };
    const pod = { apiVersion: "v1", kind: "Pod", namespace, name: metadata.name };
    const text = await client.log(pod, containers[0]?.name ?? "", false, lines);
    const prefix = pods.length > 1 ? `${metadata.name}  ` : "";
    return text.split("\n").map((line) => prefix + line);
  };
  return (await Promise.all(pods.map(read))).flat();
}
