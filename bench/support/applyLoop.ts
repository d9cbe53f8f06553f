import { readdirSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { loadAll } from "js-yaml";
import { ServerConnection } from "../../kubernetes/client/connection";
import { readKubeconfig } from "../../kubernetes/access/kubeconfig";

const AT_A_TIME = 16;

/** The minimum for applying manifests: applies each ConfigMap of a folder once, some at a time. */
export = async (): Promise<void> => {
  const [kubeconfig = "", folder = "", namespace = ""] = process.argv.slice(2);
  const connection = new ServerConnection(readKubeconfig(readFileSync(kubeconfig, "utf8"), undefined));
  const objects = readdirSync(folder).flatMap(
    (file) => loadAll(readFileSync(path.join(folder, file), "utf8")) as { metadata: { name: string } }[],
  );
  const left = objects.values();
  const applyRest = async (): Promise<void> => {
    for (const object of left) {
      const { status, body } = await connection.send({
        method: "PATCH",
        path: `/api/v1/namespaces/${namespace}/configmaps/${object.metadata.name}?fieldManager=bench`,
        contentType: "application/apply-patch+yaml",
        body: JSON.stringify(object),
        timeoutMs: 30_000,
      });
      if (status > 299) throw new Error(body);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, applyRest));
  process.exit();
};
