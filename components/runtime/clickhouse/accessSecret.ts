import * as pulumi from "@pulumi/pulumi";
import { ManifestSet } from "../../resources/manifestSet";
import { type Origin, withOrigin } from "../record/origin";
import { type AdoptedDatabase, adoptedSet } from "./adopted";
import { type DatabaseAccess, secretData } from "../databaseAccess";

/** Where to create a Kubernetes Secret. */
export interface SecretPlace {
  /** Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current one. */
  readonly context?: pulumi.Input<string>;
  /** Address of the cluster. */
  readonly cluster: pulumi.Input<string>;
  /** UID of the cluster that the Secret is created in. Default: any cluster at that address. */
  readonly expectedClusterUid?: pulumi.Input<string>;
  readonly namespace: pulumi.Input<string>;
  /** Whether the Secret may be recreated in another cluster or namespace. */
  readonly allowMove: pulumi.Input<boolean>;
}

/** Creates the Secret with a runtime's credentials for its database. */
export function accessSecret(
  name: string,
  secret: string,
  access: pulumi.Output<DatabaseAccess>,
  place: SecretPlace,
  origin: Origin,
  adopted: AdoptedDatabase | undefined,
  opts: pulumi.CustomResourceOptions,
): ManifestSet {
  const object = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: secret },
    type: "Opaque",
    data: access.apply(secretData),
  };
  const objects = pulumi.secret(withOrigin([object], origin));
  return new ManifestSet(name, { ...place, name: secret, objects, ...adoptedSet(adopted, secret) }, opts);
}
