import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The SDL of the deployments API and of the runtime API, which share one endpoint. */
const FILES = ["schema.graphql", join("runtimes", "schema.graphql")];

/** `folder`: service/api of the project. */
export const readSchema = (folder: string): string =>
  FILES.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
