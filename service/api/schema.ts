import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The SDL: the deployments' and, at the same endpoint, that of the original Runtime Provisioner. */
const FILES = ["schema.graphql", join("runtimes", "schema.graphql")];

/** `folder`: service/api of the project. */
export const readSchema = (folder: string): string =>
  FILES.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
