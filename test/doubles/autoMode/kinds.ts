/** The kinds that EKS Auto Mode installs, according to AWS' documentation. */

type Schema = Readonly<Record<string, unknown>>;

const text = (more: Schema = {}): Schema => ({ type: "string", ...more });
const oneOf = (...values: string[]): Schema => text({ enum: values });
const whole = (minimum: number, maximum: number): Schema => ({ type: "integer", minimum, maximum });
const list = (items: Schema, more: Schema = {}): Schema => ({ type: "array", items, ...more });
const texts: Schema = { type: "object", additionalProperties: text() };
const fields = (properties: Readonly<Record<string, Schema>>, more: Schema = {}): Schema => ({
  type: "object",
  properties,
  ...more,
});
const rule = (expression: string, message: string): Schema => ({ rule: expression, message });

const EKS = "eks.amazonaws.com";
/** Tags that EKS sets itself. */
const OWN_TAGS =
  "!self.exists(key, key.startsWith('kubernetes.io/cluster/') || key in " +
  "['karpenter.sh/provisioner-name', 'karpenter.sh/nodepool', 'karpenter.sh/nodeclaim', 'karpenter.sh/managed-by', 'eks.amazonaws.com/nodeclass'])";

const selector = (...keys: string[]): Schema =>
  list(
    fields(Object.fromEntries([["tags", texts], ...keys.map((key) => [key, text({ minLength: 1 })])]) as never, {
      minProperties: 1,
    }),
    { minItems: 1, maxItems: 30 },
  );

const nodeClass = fields(
  {
    role: text({ minLength: 1 }),
    instanceProfile: text({ minLength: 1 }),
    subnetSelectorTerms: selector("id"),
    securityGroupSelectorTerms: selector("id", "name"),
    podSubnetSelectorTerms: selector("id"),
    podSecurityGroupSelectorTerms: selector("id", "name"),
    capacityReservationSelectorTerms: selector("id", "ownerID"),
    snatPolicy: oneOf("Random", "Disabled"),
    networkPolicy: oneOf("DefaultAllow", "DefaultDeny"),
    networkPolicyEventLogs: oneOf("Enabled", "Disabled"),
    ephemeralStorage: fields({
      size: text({ pattern: "^[1-9][0-9]{0,4}(Gi|G|Ti|T)$" }),
      iops: whole(3000, 16_000),
      throughput: whole(125, 1000),
      kmsKeyID: text(),
    }),
    advancedNetworking: fields({
      associatePublicIPAddress: { type: "boolean" },
      httpsProxy: text({ maxLength: 255 }),
      noProxy: list(text({ maxLength: 255 }), { maxItems: 50 }),
      ipv4PrefixSize: oneOf("Auto", "32"),
    }),
    advancedSecurity: fields({
      fips: { type: "boolean" },
      kernelLockdown: oneOf("None", "Integrity", "Confidentiality"),
    }),
    certificateBundles: list(fields({ name: text(), data: text() }, { required: ["name", "data"] })),
    tags: { ...texts, maxProperties: 50, "x-kubernetes-validations": [rule(OWN_TAGS, "tags that EKS sets by itself")] },
  },
  {
    required: ["subnetSelectorTerms", "securityGroupSelectorTerms"],
    "x-kubernetes-validations": [rule("has(self.role) != has(self.instanceProfile)", "either role or instanceProfile")],
  },
);

/** Labels that a NodePool may require. */
const LABELS =
  "self in ['topology.kubernetes.io/zone', 'node.kubernetes.io/instance-type', 'kubernetes.io/arch', 'karpenter.sh/capacity-type'] || " +
  "self.startsWith('eks.amazonaws.com/') || !self.matches('(^|[.])(kubernetes[.]io|karpenter[.]sh|k8s[.]aws)/')";
const TOO_SMALL =
  "self.key != 'node.kubernetes.io/instance-type' || !self.values.exists(type, type.matches('[.](nano|micro|small)$') || " +
  "(type.matches('[.]medium$') && !type.startsWith('t')))";
const duration = text({ pattern: "^(([0-9]+(s|m|h))+|Never)$" });
const quantity: Schema = { "x-kubernetes-int-or-string": true };
const taint = fields(
  { key: text({ minLength: 1 }), value: text(), effect: oneOf("NoSchedule", "PreferNoSchedule", "NoExecute") },
  { required: ["key", "effect"] },
);
const requirement = fields(
  {
    key: text({
      maxLength: 316,
      "x-kubernetes-validations": [rule(LABELS, "a label that EKS Auto Mode does not support")],
    }),
    operator: oneOf("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"),
    values: list(text({ maxLength: 63 }), { maxItems: 100 }),
    minValues: whole(1, 50),
  },
  {
    required: ["key", "operator"],
    "x-kubernetes-validations": [
      rule(`!has(self.values) || ${TOO_SMALL}`, "EKS Auto Mode has no instances below two CPUs"),
    ],
  },
);
const claim = {
  nodeClassRef: fields(
    { group: oneOf(EKS), kind: oneOf("NodeClass"), name: text({ minLength: 1 }) },
    { required: ["group", "kind", "name"] },
  ),
  requirements: list(requirement, { maxItems: 100 }),
  taints: list(taint),
  startupTaints: list(taint),
  expireAfter: duration,
  terminationGracePeriod: duration,
};
const nodePool = fields(
  {
    template: fields(
      {
        metadata: fields({ labels: { ...texts, maxProperties: 100 }, annotations: texts }),
        spec: fields(claim, { required: ["nodeClassRef", "requirements"] }),
      },
      { required: ["spec"] },
    ),
    limits: { type: "object", additionalProperties: quantity },
    weight: whole(1, 100),
    disruption: fields({
      consolidationPolicy: oneOf("WhenEmpty", "WhenEmptyOrUnderutilized"),
      consolidateAfter: duration,
      budgets: list(
        fields({
          nodes: text({ pattern: "^((100|[0-9]{1,2})%|[0-9]+)$" }),
          reasons: list(oneOf("Underutilized", "Empty", "Drifted")),
          schedule: text(),
          duration: text(),
        }),
        { maxItems: 50 },
      ),
    }),
  },
  { required: ["template"] },
);

const ingressClassParams = fields({
  scheme: oneOf("internal", "internet-facing"),
  ipAddressType: oneOf("ipv4", "dualstack", "dualstack-without-public-ipv4"),
  group: fields({ name: text() }),
  namespaceSelector: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  subnets: fields({ ids: list(text()), tags: { type: "object", additionalProperties: list(text()) } }),
  certificateARNs: list(text()),
  loadBalancerAttributes: list(fields({ key: text(), value: text() })),
  tags: list(fields({ key: text(), value: text() })),
});

/** Prevents changes of EKS' own class. */
const NO_DEFAULT = rule("self.metadata.name != 'default'", "default is the class of EKS' own");

function kindOf(kind: string, group: string, plural: string, spec: Schema, rules: readonly Schema[] = []): Schema {
  const schema = fields(
    { spec, status: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    { ...(rules.length > 0 && { "x-kubernetes-validations": rules }) },
  );
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Cluster",
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: [
        { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema }, subresources: { status: {} } },
      ],
    },
  };
}

/** CustomResourceDefinitions, as objects to apply. */
export const AUTO_KINDS: readonly Schema[] = [
  kindOf("NodeClass", EKS, "nodeclasses", nodeClass, [NO_DEFAULT]),
  kindOf("IngressClassParams", EKS, "ingressclassparams", ingressClassParams),
  kindOf("NodePool", "karpenter.sh", "nodepools", nodePool),
  kindOf("NodeClaim", "karpenter.sh", "nodeclaims", fields(claim, { required: ["nodeClassRef", "requirements"] })),
];

export const AUTO_KIND_NAMES = AUTO_KINDS.map(({ metadata }) => (metadata as { name: string }).name);
