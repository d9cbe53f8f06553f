import { strict } from "../../../../foundation/schema/fields";
import { clusterIssues } from "./rules";
import { clusterShape, type ClusterRequest } from "./shape";

/** The cluster of a deployment, with what its fields say of each other. */
export const clusterSchema = strict("an object of fields of a cluster", clusterShape).superRefine(
  (value, context) => {
    // The fields that are right, so that what is wrong with one hides nothing about the others.
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
