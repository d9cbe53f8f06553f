import * as z from "zod";
import { POD_SECURITY_LEVELS } from "../settings";
import { flag, matching, NAMESPACE, oneOf, strict, list } from "../../../foundation/schema/fields";

/** Schema of the fields for a namespace that the platform creates, the same for all components. */

const LEGAL = "a legal name: a-z, 0-9 and inner -, 63 characters at most";
const CIDR = /^((\d{1,3}\.){3}\d{1,3}\/([0-9]|[12][0-9]|3[0-2])|[0-9a-fA-F:]*:[0-9a-fA-F:]*\/\d{1,3})$/;
const QUANTITY = "a quantity such as 500m, 4 or 16Gi";

const quantities = (expected: string) =>
  z.record(
    matching(/^[a-z0-9A-Z./-]+$/, "the name of a resource such as requests.cpu"),
    z.union([matching(/^\d+(\.\d+)?([KMGTPE]i?|[kmn])?$/, QUANTITY), z.number({ error: QUANTITY }).gte(0)], {
      error: QUANTITY,
    }),
    { error: expected },
  );

const networkPolicy = strict("an object with enabled, clientNamespaces, clientCidrs, cloudMetadata", {
  enabled: flag().default(true).describe("`false`: create no NetworkPolicy."),
  clientNamespaces: list(matching(NAMESPACE, LEGAL), "namespaces").describe(
    "Namespaces whose pods may connect to its pods. Default: all except those of runtimes; of Ray, only to metrics.",
  ),
  clientCidrs: list(matching(CIDR, "addresses such as 10.0.0.0/16"), "addresses").describe(
    "CIDR ranges that may connect to its pods, such as load balancers and ingress controllers on the host network.",
  ),
  cloudMetadata: flag()
    .default(false)
    .describe("`true`: pods can reach the cloud's metadata address and use the role of their node."),
})
  .optional()
  .describe("Ingress and egress of its pods.");

/** Fields for a namespace whose content includes its own NetworkPolicies. */
export const guardFields = {
  podSecurity: oneOf(POD_SECURITY_LEVELS)
    .optional()
    .describe(
      "Pod Security Standard that the namespace enforces. Default: the strictest level that its pods pass. See [namespaces](namespaces.md).",
    ),
  quota: quantities("an object of quantities by resource")
    .optional()
    .describe("ResourceQuota of the namespace: maximum for each resource, such as `requests.cpu` or `pods`."),
  limits: strict("an object with default, defaultRequest, min, max", {
    default: quantities("an object of quantities").optional().describe("Default limits of containers."),
    defaultRequest: quantities("an object of quantities").optional().describe("Default requests of containers."),
    min: quantities("an object of quantities").optional().describe("Minimum of a container."),
    max: quantities("an object of quantities").optional().describe("Maximum of a container."),
  })
    .optional()
    .describe("LimitRange of the namespace."),
};

export const namespaceFields = { ...guardFields, networkPolicy };
