import * as pulumi from "@pulumi/pulumi";
import { isObject } from "../../foundation/json/isObject";
import { mergeValues, type Values } from "../../foundation/json/merge";
import { BundleRelease, type Taker } from "../resources/bundleRelease";
import type { DataPart } from "../resources/dataGuard";
import { dataPart, partOwner } from "../resources/guard/dataPart";
import type { ManifestSet } from "../resources/manifestSet";
import { component } from "../resources/package";
import type { BundleOutput } from "./output";
import type { PlannedInstance, ValueSettings } from "./settings";
import { blockedBy } from "./outcomes";

/** Values of a release. `secretValues` are merged over `values`. */
interface SharedValues {
  readonly values?: Record<string, unknown>;
  readonly secretValues?: Record<string, unknown>;
}

/** Merges the instance's values over the bundle's, and keeps potential secrets separate. */
export function shareValues(bundle: ValueSettings | undefined, instance: ValueSettings | undefined): SharedValues {
  const under: Values = bundle?.values ?? {};
  const over: Values = instance?.values ?? {};
  if (bundle?.secret) return shared(divide(mergeValues(under, over)));
  const { open, texts } = instance?.secret ? divide(over) : { open: over, texts: {} };
  return shared({ open: mergeValues(under, open), texts });
}

interface Divided {
  readonly open: Record<string, unknown>;
  readonly texts: Record<string, unknown>;
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

const shared = ({ open, texts }: Divided): SharedValues => ({
  ...(!isEmpty(open) && { values: open }),
  ...(!isEmpty(texts) && { secretValues: texts }),
});

/**
 * Separates strings from other values, because only strings can be secret in a stack's config. Does not split lists.
 */
function divide(values: Values): Divided {
  const open: [string, unknown][] = [];
  const texts: [string, unknown][] = [];
  for (const [key, value] of Object.entries(values)) {
    if (!isObject(value) || isEmpty(value)) {
      (hasText(value) ? texts : open).push([key, value]);
      continue;
    }
    const inner = divide(value);
    if (!isEmpty(inner.open)) open.push([key, inner.open]);
    if (!isEmpty(inner.texts)) texts.push([key, inner.texts]);
  }
  // Avoids assignment by key, because a key may be `__proto__`.
  return { open: Object.fromEntries(open), texts: Object.fromEntries(texts) };
}

const hasText = (value: unknown): boolean =>
  typeof value === "string" || (typeof value === "object" && value !== null && Object.values(value).some(hasText));

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
        reconcileSeconds: settings.reconcileSeconds,
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
    const owner = partOwner(this.release);
    const part = { type: "bundle", namespace, name: releaseName, allowDeletion: [...allowDeletion], adopt, owner };
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
