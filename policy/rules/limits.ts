import { perContainer } from "../objects";
import { at, textOr } from "../../foundation/json/parts";
import type { Rule } from "../rule";

/** Kubernetes treats a limit of 0 as no limit. */
const isSome = (quantity: unknown): boolean => !/^(0+(\.0+)?[a-zA-Z]*)?$/.test(textOr(quantity, ""));

export const limits: Rule = {
  name: "limits",
  description: "Containers have a CPU request and a memory limit.",
  check: (asked) =>
    perContainer(asked, (container, { spec, isPatch }) => {
      // A patch contains only changes, so limits may be set elsewhere.
      if (isPatch) return undefined;
      const has = (kind: "requests" | "limits", what: string): boolean =>
        [container, spec].some((owner) => isSome(at(owner, "resources", kind, what)));
      const lacking = [
        // Kubernetes uses the limit as the request if no request is set.
        ...(has("requests", "cpu") || has("limits", "cpu") ? [] : ["requests.cpu"]),
        ...(has("limits", "memory") ? [] : ["limits.memory"]),
      ];
      if (lacking.length === 0) return undefined;
      return `found no resources.${lacking.join(", no resources.")}; expected both a CPU request and a memory limit`;
    }),
};
