import * as pulumi from "@pulumi/pulumi";
import { ManifestSet, type ManifestSetArgs } from "../../resources/manifestSet";
import { type Origin, withOrigin } from "../record/origin";
import { type AdoptedDatabase, adoptedSet } from "./adopted";
import { type DatabaseAccess, secretData } from "../databaseAccess";

/** Where to create a Kubernetes Secret. */
export interface SecretPlace extends Pick<
  ManifestSetArgs,
  "kubeconfig" | "context" | "cluster" | "expectedClusterUid" | "namespace"
> {
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
