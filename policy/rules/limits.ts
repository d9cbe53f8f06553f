import { perContainer } from "../objects";
import { at, type Rule } from "../rule";

export const limits: Rule = {
  name: "limits",
  description: "Containers say how much CPU and memory they need, and never take more memory than they said.",
  check: (asked) =>
    perContainer(asked, (container, { spec }) => {
      const has = (kind: "requests" | "limits", what: string): boolean =>
        [container, spec].some((owner) => at(owner, "resources", kind, what) !== undefined);
      const lacking = [
        // A limit is a request too, where none is given.
        ...(has("requests", "cpu") || has("limits", "cpu") ? [] : ["requests.cpu"]),
        ...(has("limits", "memory") ? [] : ["limits.memory"]),
      ];
      if (lacking.length === 0) return undefined;
      return `found no resources.${lacking.join(", no resources.")}; expected both a CPU request and a memory limit`;
    }),
};
