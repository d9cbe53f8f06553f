import type { KubeObject } from "../../../../kubernetes/objects/objects";
import { RUNTIMES } from "../../../../service/runtimeResources/kind";

/**
 * Runtimes as the Kyma Environment Broker (August 2026) writes them, by its plans: with the fields that Go writes
 * although they say nothing.
 */

interface Plan {
  readonly type: string;
  readonly region: string;
  readonly machine: string;
  readonly disk?: string;
  readonly zones: readonly string[];
  readonly purpose?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly failureTolerance?: string;
  readonly platformRegion?: string;
}

export const PLANS = {
  aws: {
    ...{ type: "aws", region: "eu-central-1", machine: "m6i.large", disk: "gp3", failureTolerance: "zone" },
    zones: ["eu-central-1a", "eu-central-1b", "eu-central-1c"],
    platformRegion: "cf-eu11",
  },
  "aws-trial": {
    ...{ type: "aws", region: "eu-central-1", machine: "m5.2xlarge", disk: "gp3", purpose: "evaluation" },
    ...{ zones: ["eu-central-1b"], minimum: 1, maximum: 1 },
  },
  azure: {
    ...{ type: "azure", region: "westeurope", machine: "Standard_D4_v3", disk: "StandardSSD_LRS" },
    ...{ zones: ["2", "1", "3"], failureTolerance: "zone" },
  },
  "azure-lite": {
    ...{ type: "azure", region: "westeurope", machine: "Standard_D4_v3", disk: "StandardSSD_LRS" },
    ...{ zones: ["3"], minimum: 2, maximum: 10, purpose: "evaluation" },
  },
  gcp: {
    ...{ type: "gcp", region: "europe-west3", machine: "n2-standard-4", disk: "pd-standard" },
    ...{ zones: ["europe-west3-a", "europe-west3-b", "europe-west3-c"], failureTolerance: "zone" },
  },
  "sap-converged-cloud": {
    ...{ type: "openstack", region: "eu-de-1", machine: "g_c4_m16" },
    ...{ zones: ["eu-de-1a", "eu-de-1b"], failureTolerance: "zone" },
  },
} as const satisfies Readonly<Record<string, Plan>>;

export const OIDC = {
  clientID: "9bd05ed7",
  groupsClaim: "groups",
  groupsPrefix: "-",
  issuerURL: "https://tenant.accounts.example.com",
  signingAlgs: ["RS256"],
  usernameClaim: "sub",
  usernamePrefix: "-",
};

export interface RuntimeOptions {
  readonly id?: string;
  readonly shoot?: string;
  readonly tenant?: string;
  readonly binding?: string;
  readonly version?: string;
}

/** The Runtime of a plan. */
export function runtimeOf(plan: keyof typeof PLANS, options: RuntimeOptions = {}): KubeObject & { spec: Spec } {
  const { id = "0d7c1f5e-runtime", shoot = "c-1a2b3c4", tenant = "red", binding = "account" } = options;
  const chosen: Plan = PLANS[plan];
  return {
    ...RUNTIMES,
    metadata: {
      name: id,
      namespace: "kcp-system",
      labels: {
        "kyma-project.io/instance-id": "instance-1",
        "kyma-project.io/runtime-id": id,
        "kyma-project.io/broker-plan-id": "plan-1",
        "kyma-project.io/broker-plan-name": plan,
        "kyma-project.io/global-account-id": tenant,
        "kyma-project.io/subaccount-id": "sub-1",
        "kyma-project.io/shoot-name": shoot,
        "kyma-project.io/region": chosen.region,
        "kyma-project.io/provider": chosen.type,
        "operator.kyma-project.io/kyma-name": id,
      },
    },
    spec: specOf(chosen, { shoot, binding, version: options.version ?? "1.33" }),
  };
}

type Spec = ReturnType<typeof specOf>;

function specOf(plan: Plan, { shoot, binding, version }: { shoot: string; binding: string; version: string }) {
  const { type, region, zones, failureTolerance, minimum = 3, maximum = 20, platformRegion = "cf-us10" } = plan;
  return {
    shoot: {
      name: shoot,
      purpose: plan.purpose ?? "production",
      platformRegion,
      region,
      secretBindingName: binding,
      enableNvidiaOpenshell: false,
      kubernetes: { version, kubeAPIServer: { oidcConfig: {}, additionalOidcConfig: [OIDC] as object[] } },
      provider: {
        type,
        workers: [workerOf(plan, { name: "cpu-worker-0", minimum, maximum, zones })],
        additionalWorkers: [] as object[],
      },
      networking: { type: "calico", nodes: "10.250.0.0/16", pods: "10.96.0.0/13", services: "10.104.0.0/13" },
      ...(failureTolerance !== undefined && {
        controlPlane: { highAvailability: { failureTolerance: { type: failureTolerance } } },
      }),
    },
    security: {
      administrators: ["ann@example.com"],
      networking: { filter: { ingress: { enabled: false }, egress: { enabled: true } } },
    },
  };
}

interface Nodes {
  readonly name: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly zones: readonly string[];
}

const workerOf = ({ machine, disk }: Plan, { zones, ...nodes }: Nodes) => ({
  ...nodes,
  machine: { type: machine, image: { name: "", version: "" } },
  maxSurge: zones.length,
  maxUnavailable: 0,
  zones: [...zones],
  volume: { size: "80Gi", ...(disk !== undefined && { type: disk }) },
});

/** An additional worker as the broker writes it. */
export const pool = (plan: keyof typeof PLANS, name: string, more: object = {}) => ({
  ...workerOf(PLANS[plan], { name, minimum: 0, maximum: 2, zones: PLANS[plan].zones.slice(0, 1) }),
  ...more,
});
