import * as pulumi from "@pulumi/pulumi";
import { BundleRelease } from "../../../../resources/bundleRelease";
import { KymaInstallation } from "../../../../resources/gardener/kymaInstallation";
import { KymaModules, type KymaModulesArgs } from "../../../../resources/gardener/kymaModules";
import { RuntimeAgent } from "../../../../resources/gardener/runtimeAgent";
import { component } from "../../../../resources/package";
import type { KymaResource } from "./modules";
import { hasAgent, type KymaPlan } from "./plan";
import type { DirectorSettings } from "./settings";

interface GardenerKymaArgs {
  /** ShootAccess of the cluster; a secret. */
  readonly kubeconfig: pulumi.Input<string>;
  /** Address of the cluster, for messages. */
  readonly cluster: pulumi.Input<string>;
  /** What to install. Plain. Default: nothing. */
  readonly plan?: KymaPlan;
  /** The Director that the agent connects to. Plain. Default: none. */
  readonly director?: DirectorSettings;
  /** Tenant of the runtime in the Director. */
  readonly tenant?: pulumi.Input<string>;
  /** Id of the runtime in the Director. Required with `director`. */
  readonly runtimeId?: pulumi.Input<string>;
  /** Labels of the runtime in the Director, such as gardenerClusterName. */
  readonly labels?: pulumi.Input<Record<string, unknown>>;
  /** The Shoot. Objects in its cluster are deleted with it. */
  readonly shoot: pulumi.Resource;
  /** Its Kyma in the cluster of Lifecycle Manager, and facts of the Shoot. Required with mode `modules`. */
  readonly resource?: KymaResource & Pick<KymaModulesArgs, "domain" | "shootUid">;
}

/** Kyma in the cluster of a Shoot, and the agent that connects it to a Director. */
export class GardenerKyma extends pulumi.ComponentResource {
  /** State of the agent's connection; undefined without a Director. */
  readonly connectionState: pulumi.Output<string | undefined>;

  constructor(name: string, args: GardenerKymaArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("GardenerKyma"), name, {}, opts);
    const { kubeconfig, cluster, plan, director, tenant, runtimeId, shoot } = args;
    const place = { kubeconfig: pulumi.secret(kubeconfig), cluster };
    const own = { parent: this, deletedWith: shoot };
    const before: pulumi.Resource[] = [];
    if (plan?.mode === "installer") {
      const { secretOverrides, components, configuration, ...rest } = plan.installer;
      const installation = new KymaInstallation(
        `${name}-installation`,
        {
          ...place,
          ...rest,
          ...(components && { components: [...components] }),
          ...(configuration && { configuration: [...configuration] }),
          ...(secretOverrides && { secretOverrides: [...secretOverrides] }),
          timeoutSeconds: plan.timeoutSeconds,
        },
        // Not deletedWith the Shoot, because service brokers may have created resources elsewhere, which must be
        // deleted first.
        { parent: this },
      );
      before.push(installation);
    }
    if (plan?.mode === "modules" && args.resource !== undefined) {
      const { kyma, timeoutSeconds } = plan;
      const { channel, modules } = kyma;
      const inputs = {
        ...place,
        ...args.resource,
        channel,
        modules: modules.map((one) => ({ ...one })),
        timeoutSeconds,
      };
      // Removed before the Shoot, because modules may have created resources elsewhere.
      before.push(new KymaModules(`${name}-modules`, inputs, { parent: this }));
    }
    for (const module of plan?.mode === "manifests" ? plan.modules : []) {
      const { credentials, sources, ...rest } = module;
      const hasSecrets = credentials.some((one) => Object.keys(one).length > 0);
      const release = new BundleRelease(
        `${name}-${module.name}`,
        {
          ...place,
          ...rest,
          createNamespace: true,
          sources: [...sources],
          ...(hasSecrets && { credentials: [...credentials] }),
        },
        { ...own, dependsOn: before.slice(-1) },
      );
      before.push(release);
    }
    const agent =
      director && runtimeId !== undefined && tenant !== undefined
        ? new RuntimeAgent(
            `${name}-agent`,
            {
              ...place,
              ...accessOf(director),
              tenant,
              runtimeId,
              labels: args.labels,
              connect: director.agent && hasAgent(plan),
            },
            { ...own, dependsOn: before.slice(-1) },
          )
        : undefined;
    this.connectionState = agent?.connectionState ?? pulumi.output(undefined);
    this.registerOutputs({ connectionState: this.connectionState });
  }
}

const accessOf = ({ url, tokenUrl, clientId, clientSecret, skipCertVerification }: DirectorSettings) => ({
  url,
  tokenUrl,
  clientId,
  clientSecret: pulumi.secret(clientSecret),
  skipCertVerification,
});
