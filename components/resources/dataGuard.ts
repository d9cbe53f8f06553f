import * as pulumi from "@pulumi/pulumi";

/** A part of a platform that holds data. */
export interface DataPart {
  /** Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current one. */
  readonly context?: pulumi.Input<string>;
  /** `set`: a ManifestSet; `bundle`: a BundleRelease; `release`: a Helm release. */
  readonly type: string;
  readonly namespace: string;
  readonly name: string;
  /** Of a set: what is in it. */
  readonly inventory?: pulumi.Input<string[]>;
  /** Of a bundle: kinds that are removed also with what others have in them. Default: none. */
  readonly allowDeletion?: string[];
  /** Of a bundle: what it takes over from others. Default: nothing. */
  readonly adopt?: string[];
}

/** A part in a cluster that is reached as a `ManifestSet` reaches it. */
export const dataPart = (
  { kubeconfig, context }: Pick<DataPart, "kubeconfig" | "context">,
  part: Omit<DataPart, "kubeconfig" | "context">,
): DataPart => ({ kubeconfig, context, ...part });

export interface DataGuardArgs {
  /** Kubeconfig (YAML text) of the platform's cluster; a secret. Claims that are allowed to be deleted are looked for there too. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current one. */
  readonly context?: pulumi.Input<string>;
  /** All parts. One that is missing in the next update is going to be deleted, and is looked at in the preview. */
  readonly parts: readonly DataPart[];
}

/**
 * Refuses that parts of a platform are deleted with claims that `stackyard:allowDataLoss` of the stack's config does not name;
 * resource of our own provider. It has to depend on the parts, so that it is deleted before them.
 */
export class DataGuard extends pulumi.CustomResource {
  constructor(name: string, args: DataGuardArgs, opts?: pulumi.CustomResourceOptions) {
    const hidden = <T extends Pick<DataPart, "kubeconfig">>(one: T): T => ({
      ...one,
      kubeconfig: one.kubeconfig === undefined ? undefined : pulumi.secret(one.kubeconfig),
    });
    super("stackyard:index:DataGuard", name, { ...hidden(args), parts: args.parts.map(hidden) }, opts);
  }
}

/** A component that may hold data. */
interface Stateful extends pulumi.ComponentResource {
  readonly dataParts: readonly DataPart[];
}

/** Guards the components that there are. There is a guard in any case: it looks at those that are not there any more. */
export function guardData(
  name: string,
  access: Pick<DataPart, "kubeconfig" | "context"> | undefined,
  components: readonly (Stateful | false | undefined)[],
): DataGuard {
  const dependsOn = components.filter((each) => each !== undefined && each !== false);
  const { kubeconfig, context } = access ?? {};
  const parts = dependsOn.flatMap(({ dataParts }) => dataParts);
  return new DataGuard(name, { kubeconfig, context, parts }, { dependsOn });
}
