import { strict } from "../../../../foundation/schema/fields";
import { clusterIssues } from "./rules";
import { clusterShape, type ClusterRequest } from "./shape";

/** Schema of a deployment's cluster, including the checks across fields. */
export const clusterSchema = strict("an object of fields of a cluster", clusterShape).superRefine(
  (value, context) => {
    // Checks the valid fields, so that a fault in one does not hide faults in others.
    const right = Object.entries(clusterShape).flatMap(([key, field]) => {
      const { success, data } = field.safeParse((value as Readonly<Record<string, unknown>>)[key]);
      return success && data !== undefined ? [[key, data]] : [];
    });
    for (const { path, expected } of clusterIssues(Object.fromEntries(right) as ClusterRequest)) {
      context.addIssue({ code: "custom", path: [...path], message: expected });
    }
  },
  { when: ({ value }) => typeof value === "object" && value !== null },
);
