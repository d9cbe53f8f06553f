import { randomBytes } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { keptSecret } from "../../../../foundation/pulumi/keptSecret";
import { clickHouseSetName } from "../../../../foundation/pulumi/setName";
import { ManifestSet, type ManifestSetArgs } from "../../../resources/manifestSet";
import { component } from "../../../resources/package";
import { type Origin, withOrigin } from "../../record/origin";
import { type AdoptedDatabase, adoptedSet } from "../adopted";
import type { DatabaseAccess } from "../../databaseAccess";
import { accessSecret, type SecretPlace } from "../accessSecret";
import type { ClusterRecord } from "./plan";

interface ClickHouseClusterArgs
  extends Omit<SecretPlace, "allowMove">, Pick<ManifestSetArgs, "timeoutSeconds" | "claimsWhenDeleted"> {
  /** Id that the names of the objects are derived from. */
  readonly provisionId: string;
  /** The objects, rendered from the provisioner's templates. */
  readonly manifests: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
  /** Names and address, stored in the state. Plain, because the password resource is named by its version. */
  readonly record: ClusterRecord;
  /** Name of the Secret that the cluster's own pods read. */
  readonly ownSecret: string;
  /** Name of the Secret for the runtime. */
  readonly secret: string;
  /** Whether the deployment requests the database. Plain, because the runtime's Secret is a resource. */
  readonly access: boolean;
  /** Where to create the runtime's Secret. Plain, because the Secret is a resource. Default: no Secret. */
  readonly place?: SecretPlace;
  /** Platform stack, provisioner and deployment, recorded on the Secrets. */
  readonly origin: Origin;
  /** Existing objects to take over. Plain, because it is looked up by set name. Default: none. */
  readonly adopted?: AdoptedDatabase;
}

/** A dedicated ClickHouse cluster of a deployment, its password, and the Secrets for the cluster and the runtime. */
export class ClickHouseCluster extends pulumi.ComponentResource {
  /** Credentials; secret. Undefined (not an output) if the deployment does not request the database. */
  public readonly access: pulumi.Output<DatabaseAccess> | undefined;

  constructor(name: string, args: ClickHouseClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("ClickHouseCluster"), name, {}, opts);
    const { provisionId, manifests, record, ownSecret, secret, access, place, origin, adopted, ...rest } = args;
    const { timeoutSeconds, claimsWhenDeleted, ...reached } = rest;
    const { database, user, host, port, secure } = record;
    // The disks can't move, so another cluster or namespace is an error.
    const way = { ...reached, allowMove: false };
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
        // Disks can grow in place. A smaller request keeps the existing size.
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

  /** A password per version. It is kept in an object, because the SDK takes a string for a provider. */
  private password(name: string, adopted: AdoptedDatabase | undefined): pulumi.Output<string> {
    const fresh = { password: adopted?.password ?? `1Sy!${randomBytes(16).toString("hex")}` };
    return keptSecret(name, fresh, this).apply(({ password }) => password);
  }
}

function secretObject(name: string, texts: Readonly<Record<string, pulumi.Output<string>>>) {
  const encoded = Object.entries(texts).map(([key, text]) => [key, text.apply(encode)] as const);
  return { apiVersion: "v1", kind: "Secret", metadata: { name }, type: "Opaque", data: Object.fromEntries(encoded) };
}

const encode = (text: string): string => Buffer.from(text).toString("base64");
