import * as z from "zod";
import { isObject } from "../../../foundation/json/isObject";
import { describe, valueAt } from "../../../foundation/schema/describe";
import { mismatch, type Fault } from "../../../foundation/schema/faults";
import { flag, listOf, matching, oneOf, strict, stringMap, text } from "../../../foundation/schema/fields";
import { providerNames } from "../../../components/runtime/request/cluster/providers";
import { FIRST_POOL } from "../../../components/runtime/request/cluster/workers";
import { MOST_ZONES } from "./subnets";

/**
 * The fields of a Runtime's spec that the service serves. The API server has checked their types by the CRD, and the
 * deployment's schema checks their values; all other fields are faults, unless they have the value that Go writes for
 * none. Pure.
 */

const whole = () => z.int({ error: "a whole number; the service does not serve percentages" });

const machine = strict("an object with type and image", {
  type: text(),
  image: strict("an object with name and version", { name: text(), version: text().optional() }).optional(),
});

const volume = strict("an object with type and size", {
  type: text().optional(),
  size: matching(/^[1-9]\d{0,4}Gi$/, "a size in GiB, such as 80Gi"),
});

const nodes = {
  machine,
  volume: volume.optional(),
  minimum: whole(),
  maximum: whole(),
  maxSurge: whole().optional(),
  maxUnavailable: whole().optional(),
  zones: listOf(text(), "zones")
    .max(MOST_ZONES, { error: `at most ${MOST_ZONES} zones` })
    .optional(),
};

const taint = strict("an object with key, value, effect", { key: text(), value: text().optional(), effect: text() });

const mainWorker = strict("an object", {
  name: z.literal(FIRST_POOL, { error: `${FIRST_POOL}, the name of the pool that every cluster has` }),
  ...nodes,
});

const pool = strict("an object", {
  name: text(),
  ...nodes,
  labels: stringMap("labels").optional(),
  annotations: stringMap("annotations").optional(),
  taints: listOf(taint, "taints").optional(),
});

export type WorkerSpec = z.output<typeof pool> | z.output<typeof mainWorker>;

const oidc = strict("an object", {
  clientID: text(),
  issuerURL: text(),
  groupsClaim: text().optional(),
  groupsPrefix: text().optional(),
  signingAlgs: listOf(text(), "algorithms").optional(),
  usernameClaim: text().optional(),
  usernamePrefix: text().optional(),
  requiredClaims: stringMap("claims").optional(),
});

export type OidcSpec = z.output<typeof oidc>;

const kubernetes = strict("an object", {
  version: text().optional(),
  kubeAPIServer: strict("an object", {
    oidcConfig: oidc.optional(),
    additionalOidcConfig: listOf(oidc, "OIDC providers").optional(),
    acl: strict("an object", { allowedCIDRs: listOf(text(), "ranges").optional() }).optional(),
  }).optional(),
});

const shoot = strict("an object", {
  name: text(),
  purpose: text(),
  platformRegion: text().optional(),
  region: text(),
  licenceType: text().optional(),
  secretBindingName: text(),
  enforceSeedLocation: flag().optional(),
  kubernetes: kubernetes.optional(),
  provider: strict("an object", {
    type: oneOf(providerNames as [string, ...string[]]),
    workers: listOf(mainWorker, "workers").length(1, { error: "one worker; others are additionalWorkers" }),
    additionalWorkers: listOf(pool, "workers").optional(),
  }),
  networking: strict("an object", {
    type: z.literal("calico", { error: "calico" }).optional(),
    pods: text(),
    nodes: text(),
    services: text(),
    dualStack: flag().optional(),
  }),
  controlPlane: strict("an object", {
    highAvailability: strict("an object", { failureTolerance: strict("an object", { type: text() }) }),
  }).optional(),
});

const spec = strict("an object", {
  shoot,
  security: strict("an object", {
    administrators: listOf(text(), "users").optional(),
    networking: strict("an object", {
      filter: strict("an object", {
        egress: strict("an object", { enabled: flag() }).optional(),
        ingress: strict("an object", { enabled: flag() }).optional(),
      }).optional(),
    }).optional(),
  }).optional(),
});

export type RuntimeSpec = z.output<typeof spec>;

/** What Go writes for a field that is not set means the same as no field. */
const isNothing = (value: unknown): boolean =>
  value === null ||
  value === false ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(([key, inner]) => [key, plain(inner)] as const);
  return Object.fromEntries(fields.filter(([, inner]) => !isNothing(inner)));
}

const NOT_SERVED = "nothing, because the service does not serve this field";

/** Reads a spec, or returns the faults in it. Their paths begin with `spec`. */
export function readSpec(given: unknown): { readonly spec: RuntimeSpec } | { readonly faults: readonly Fault[] } {
  const found = plain(given);
  const { data, error } = spec.safeParse(found);
  if (data) return { spec: data };
  return {
    faults: error.issues.flatMap((issue) => {
      const path = issue.path.map((step) => (typeof step === "number" ? step : String(step)));
      const fault = (at: typeof path, expected: string): Fault =>
        mismatch(["spec", ...at], describe(valueAt(found, at), false), expected);
      if (issue.code !== "unrecognized_keys") return fault(path, issue.message);
      return issue.keys.map((key) => fault([...path, key], NOT_SERVED));
    }),
  };
}
