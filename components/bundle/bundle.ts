import * as pulumi from "@pulumi/pulumi";
import { BundleRelease, type Taker } from "../resources/bundleRelease";
import type { DataPart } from "../resources/dataGuard";
import { dataPart } from "../resources/guard/dataPart";
import type { ManifestSet } from "../resources/manifestSet";
import { component } from "../resources/package";
import type { BundleOutput } from "./output";
import type { PlannedInstance } from "./settings";
import { blockedBy } from "./outcomes";
import { shareValues } from "./values";

/** Access to one cluster. */
interface BundlePlace {
  readonly kubeconfig?: pulumi.Input<string>;
  readonly context?: pulumi.Input<string>;
  readonly cluster: pulumi.Input<string>;
}

interface BundleArgs {
  /** The instance to create. Plain. */
  readonly instance: PlannedInstance;
  /** The cluster to install on. */
  readonly place: BundlePlace;
  /**
   * Plain. Whether workloads get NetworkPolicies, because the config has none for a namespace that the platform
   * creates.
   */
  readonly networkPolicies: boolean;
  /** Instances that take over objects of this one. */
  readonly takers: readonly Taker[];
  /** Dependencies by their display name. They are created first and deleted last. */
  readonly needs: Readonly<Record<string, ManifestSet | BundleRelease>>;
}

const CRD = "apiextensions.k8s.io/v1/CustomResourceDefinition/";
const NAMESPACE = "v1/Namespace/";

/** Kinds and namespaces in an inventory that other releases can depend on, in the format of `providedBy`. */
const providedIn = (inventory: readonly string[]): string[] =>
  inventory.flatMap((key) => {
    if (key.startsWith(CRD)) return [key.slice(CRD.length)];
    return key.startsWith(NAMESPACE) ? [`Namespace/${key.slice(NAMESPACE.length)}`] : [];
  });

/** Dependencies that failed or were skipped. */
const blocking = (needs: BundleArgs["needs"]): pulumi.Output<string[]> =>
  pulumi
    .all(Object.entries(needs).map(([name, { outcome }]) => outcome.apply((one) => blockedBy(name, one))))
    .apply((names) => [...new Set(names.flat())]);

/** One version of a bundle in one namespace of a cluster. */
export class Bundle extends pulumi.ComponentResource {
  public readonly release: BundleRelease;
  /** The data that the bundle may contain. */
  public readonly dataPart: DataPart;
  public readonly output: pulumi.Output<BundleOutput>;

  constructor(name: string, args: BundleArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("Bundle"), name, {}, opts);
    const { instance, place, takers, needs, networkPolicies } = args;
    const { content, settings, version, format } = instance;
    const { kubeconfig, context, cluster } = place;
    const after = Object.values(needs);
    const providedBy = pulumi.all(after.map(({ inventory }) => inventory)).apply((all) => providedIn(all.flat()));
    const hasSecrets = content.credentials.some((one) => Object.keys(one).length > 0);
    this.release = new BundleRelease(
      `${name}-release`,
      {
        kubeconfig,
        context,
        cluster,
        name: instance.name,
        namespace: settings.namespace,
        sources: [...content.sources],
        ...(hasSecrets && { credentials: [...content.credentials] }),
        format,
        ...shareValues(content.values, settings.values),
        digest: content.digest,
        force: settings.force,
        adopt: [...settings.adopt],
        ...(takers.length > 0 && { takers: [...takers] }),
        replace: [...settings.replace],
        allowDeletion: [...settings.allowDeletion],
        allowCrdChanges: [...settings.allowCrdChanges],
        requires: [...content.requiredKinds],
        approval: settings.approval,
        awaitApproval: settings.awaitApproval,
        rollback: settings.rollback,
        providedBy,
        as: settings.as,
        timeoutSeconds: settings.timeoutSeconds,
        ...(networkPolicies && { networkPolicies }),
        protectData: true,
        outcome: {},
        blockedBy: after.length === 0 ? undefined : blocking(needs),
      },
      { parent: this, dependsOn: after },
    );
    const { bundle, namespace, allowDeletion } = settings;
    const { name: releaseName } = instance;
    const adopt = settings.adopt.filter((text) => text.includes("from bundle "));
    const part = { type: "bundle", namespace, name: releaseName, allowDeletion: [...allowDeletion], adopt };
    this.dataPart = dataPart(place, part);
    this.output = pulumi.all([this.release.digest, this.release.outcome]).apply(([digest, outcome]) => ({
      bundle,
      version,
      namespace,
      digest,
      ...(outcome?.failure !== undefined && { failure: outcome.failure }),
    }));
    this.registerOutputs({ output: this.output });
  }
}
