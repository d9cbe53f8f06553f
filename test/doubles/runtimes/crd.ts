import type { KubeObject } from "../../../kubernetes/objects/objects";

/** The smallest CRD of Runtimes that refuses and removes what the published one does: see the README. */

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: "string" };
const flag: Schema = { type: "boolean" };
const whole: Schema = { type: "integer", format: "int32" };
const wholeOrText: Schema = { "x-kubernetes-int-or-string": true };
const anything: Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const texts: Schema = { type: "object", additionalProperties: text };
const list = (items: Schema): Schema => ({ type: "array", items });

/** An object; keys that end with `!` are required. */
function object(fields: Readonly<Record<string, Schema>>): Schema {
  const names = Object.keys(fields);
  const properties = Object.fromEntries(names.map((name) => [name.replace(/!$/, ""), fields[name]]));
  const required = names.filter((name) => name.endsWith("!")).map((name) => name.slice(0, -1));
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

const oidc = {
  ...{ caBundle: text, clientID: text, groupsClaim: text, groupsPrefix: text, issuerURL: text },
  ...{ requiredClaims: texts, signingAlgs: list(text), usernameClaim: text, usernamePrefix: text },
  clientAuthentication: object({ extraConfig: texts, secret: text }),
};

const worker = object({
  ...{ "name!": text, "minimum!": whole, "maximum!": whole, maxSurge: wholeOrText, maxUnavailable: wholeOrText },
  "machine!": object({
    ...{ "type!": text, architecture: text },
    image: object({ "name!": text, version: text, providerConfig: anything }),
  }),
  volume: object({ "size!": text, type: text, name: text, encrypted: flag }),
  ...{ zones: list(text), labels: texts, annotations: texts, caBundle: text, providerConfig: anything },
  taints: list(
    object({ "key!": text, "effect!": text, value: text, timeAdded: { type: "string", format: "date-time" } }),
  ),
  cri: object({ "name!": text, containerRuntimes: list(object({ "type!": text, providerConfig: anything })) }),
  kubernetes: object({ version: text, kubelet: anything }),
});

const shoot = object({
  ...{ "name!": text, "purpose!": text, "platformRegion!": text, "region!": text, "secretBindingName!": text },
  ...{ licenceType: text, enforceSeedLocation: flag, enableNvidiaOpenshell: flag },
  kubernetes: object({
    version: text,
    kubeAPIServer: object({
      oidcConfig: object(oidc),
      additionalOidcConfig: list(object({ ...oidc, jwks: { type: "string", format: "byte" } })),
      acl: object({ allowedCIDRs: list(text) }),
    }),
  }),
  "provider!": object({
    "type!": { type: "string", enum: ["aws", "azure", "gcp", "openstack", "alicloud", "gdch"] },
    "workers!": list(worker),
    ...{ additionalWorkers: list(worker), controlPlaneConfig: anything, infrastructureConfig: anything },
  }),
  "networking!": object({
    ...{ "nodes!": text, "pods!": text, "services!": text, type: text, dualStack: flag, vpcNetwork: text },
  }),
  controlPlane: object({ highAvailability: object({ "failureTolerance!": object({ "type!": text }) }) }),
});

const enabled = object({ "enabled!": flag });

const spec = object({
  "shoot!": shoot,
  "security!": object({
    "administrators!": list(text),
    "networking!": object({ "filter!": object({ "egress!": enabled, ingress: enabled }) }),
  }),
  ...{ auditLogAccessEnabled: flag, imageRegistryCache: list(anything) },
});

const condition = object({
  "type!": { type: "string", maxLength: 316 },
  "status!": { type: "string", enum: ["True", "False", "Unknown"] },
  "reason!": { type: "string", minLength: 1, maxLength: 1024, pattern: "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$" },
  "message!": { type: "string", maxLength: 32768 },
  "lastTransitionTime!": { type: "string", format: "date-time" },
  observedGeneration: { type: "integer", format: "int64", minimum: 0 },
});

const status = object({
  state: { type: "string", enum: ["Pending", "Ready", "Terminating", "Failed"] },
  conditions: list(condition),
  ...{ provisioningCompleted: flag, auditLogCR: text },
});

export const RUNTIME_CRD: KubeObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "runtimes.infrastructuremanager.kyma-project.io" },
  spec: {
    group: "infrastructuremanager.kyma-project.io",
    scope: "Namespaced",
    names: { kind: "Runtime", listKind: "RuntimeList", plural: "runtimes", singular: "runtime" },
    versions: [
      {
        ...{ name: "v1", served: true, storage: true, subresources: { status: {} } },
        schema: { openAPIV3Schema: { type: "object", properties: { spec, status } } },
      },
    ],
  },
};
