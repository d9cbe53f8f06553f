import type { OutputDoc } from "../../contract/facts";
import { FEATURES } from "../../features";

const SKIPPED: OutputDoc = {
  name: "skipped",
  secret: false,
  sometimes: true,
  description: "Optional components that the last update skipped, with the reason. Absent if there are none.",
};

/** The outputs of `index.ts`, for the table in the docs. */
export const OUTPUTS: readonly OutputDoc[] = [...FEATURES.flatMap(({ outputs = [] }) => outputs), SKIPPED];
