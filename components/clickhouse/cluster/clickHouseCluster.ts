import { randomBytes } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { clickHouseSetName } from "../../../foundation/pulumi/setName";
import { ManifestSet } from "../../resources/manifestSet";
import { component } from "../../resources/package";
import { type Origin, withOrigin } from "../../runtime/request/origin";
import { type AdoptedDatabase, adoptedSet } from "../adopted";
import type { DatabaseAccess } from "../access";
import { accessSecret, type SecretPlace } from "../accessSecret";
import type { ClusterRecord } from "./plan";

export interface ClickHouseClusterArgs {
  /** Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current one. */
  readonly context?: pulumi.Input<string>;
  /** Address of the cluster. */
  readonly cluster: pulumi.Input<string>;
  readonly namespace: pulumi.Input<string>;
  /** Id that the objects are named by. */
  readonly provisionId: string;
  /** The objects, rendered from the provisioner's templates. */
  readonly manifests: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
  /** Seconds until everything has to be ready. Default: 300. */
  readonly timeoutSeconds?: pulumi.Input<number>;
  /** `Retain` or `Delete`: what happens to the disks on destroy. Default: what the manifests say. */
  readonly claimsWhenDeleted?: pulumi.Input<string>;
  /** What it is called and how it is reached; kept in the state with it. Plain, because the password is a resource of its version. */
  readonly record: ClusterRecord;
  /** Name of the Secret that the cluster's pods read. */
  readonly ownSecret: string;
  /** Name of the Secret of the runtime. */
  readonly secret: string;
  /** Whether the deployment asks for it. Plain, because the runtime's Secret is a resource. */
  readonly access: boolean;
  /** Where the runtime's Secret is made. Plain, too. Default: no Secret. */
  readonly place?: SecretPlace;
  /** Whose it is; noted on the Secrets. */
  readonly origin: Origin;
  /** What is there of it already. Plain, as the sets are named by it. Default: nothing. */
  readonly adopted?: AdoptedDatabase;
}

/** A ClickHouse cluster of a deployment's own, its password, and the Secrets by which it and the runtime know that. */
export class ClickHouseCluster extends pulumi.ComponentResource {
  /** A secret. Plainly undefined if the deployment does not ask for it. */
  public readonly access: pulumi.Output<DatabaseAccess> | undefined;

  constructor(name: string, args: ClickHouseClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("ClickHouseCluster"), name, {}, opts);
    const { provisionId, manifests, record, ownSecret, secret, access, place, origin, adopted, ...rest } = args;
    const { kubeconfig, context, cluster, namespace, timeoutSeconds, claimsWhenDeleted } = rest;
    const { database, user, host, port, secure } = record;
    // Its disks are where they are: another cluster or namespace is refused.
    const way = { kubeconfig, context, cluster, namespace, allowMove: false };
    const password = this.password(`${name}-password-${record.passwordVersion}`, adopted);
    const texts = { database: pulumi.output(database), user: pulumi.output(user), password };
    const [ownSet, objectsSet] = [clickHouseSetName("secret", provisionId), clickHouseSetName("objects", provisionId)];
    const own = new ManifestSet(
      `${name}-own-secret`,
      {
        ...way,
        name: ownSet,
        ...adoptedSet(adopted, ownSet),
        objects: pulumi.secret(withOrigin([secretObject(ownSecret, texts)], origin)),
      },
      { parent: this },
    );
    new ManifestSet(
      `${name}-objects`,
      {
        ...way,
        name: objectsSet,
        ...adoptedSet(adopted, objectsSet),
        objects: manifests,
        timeoutSeconds,
        claimsWhenDeleted,
        // More disk is made in place; less is never taken from what exists.
        claimsWhenSmaller: "Keep",
        record: { clickhouse: record },
      },
      { parent: this, dependsOn: [own] },
    );
    const all = password.apply((known) => ({ host, port, secure, database, user, password: known }));
    this.access = access ? pulumi.secret(all) : undefined;
    if (place && access) accessSecret(`${name}-secret`, secret, all, place, origin, adopted, { parent: this });
    this.registerOutputs({ access: this.access });
  }

  /** Kept by the engine in the stack's state, encrypted; one for each version. In an object, as texts are provisioners. */
  private password(name: string, adopted: AdoptedDatabase | undefined): pulumi.Output<string> {
    const fresh = { password: adopted?.password ?? `1Sy!${randomBytes(16).toString("hex")}` };
    const options = { parent: this, ignoreChanges: ["input"], additionalSecretOutputs: ["input", "output"] };
    const stash = new pulumi.Stash(name, { input: pulumi.secret(fresh) }, options);
    return pulumi.secret((stash.output as pulumi.Output<typeof fresh>).apply(({ password }) => password));
  }
}

function secretObject(name: string, texts: Readonly<Record<string, pulumi.Output<string>>>) {
  const encoded = Object.entries(texts).map(([key, text]) => [key, text.apply(encode)] as const);
  return { apiVersion: "v1", kind: "Secret", metadata: { name }, type: "Opaque", data: Object.fromEntries(encoded) };
}

const encode = (text: string): string => Buffer.from(text).toString("base64");
