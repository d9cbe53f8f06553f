import * as pulumi from "@pulumi/pulumi";
import { ClickHouseDatabase } from "../resources/clickHouseDatabase";
import { component } from "../resources/package";
import type { Origin } from "../runtime/request/origin";
import type { AdoptedDatabase } from "./adopted";
import type { DatabaseAccess } from "./access";
import { accessSecret, type SecretPlace } from "./accessSecret";

export interface RuntimeDatabaseArgs {
  /** URL of the server's HTTP interface with a user who may make databases and users; a secret. */
  readonly url: pulumi.Input<string>;
  /** URL without user by which runtimes reach the server. Default: the one above. */
  readonly runtimeUrl?: pulumi.Input<string>;
  /** Cluster of several servers on which everything is made. Default: none. */
  readonly cluster?: pulumi.Input<string>;
  /** Name of the provisioner, for the state. */
  readonly provisioner?: pulumi.Input<string>;
  readonly database: pulumi.Input<string>;
  readonly user: pulumi.Input<string>;
  /** Whose it is, for users. */
  readonly owner: pulumi.Input<string>;
  readonly sources: pulumi.Input<pulumi.Input<string>[]>;
  /** False: nobody may enter it, and there is no Secret. Plain, because the Secret is a resource. */
  readonly access: boolean;
  readonly passwordVersion: pulumi.Input<string>;
  /** `Retain` or `Delete`. */
  readonly whenDeleted: pulumi.Input<string>;
  /** Name of the Secret. */
  readonly secret: string;
  /** Where it is made. Plain, because the Secret is a resource. Default: no Secret. */
  readonly place?: SecretPlace;
  /** Whose it is; noted on the Secret. */
  readonly origin: Origin;
  /** What is there of it already. Default: nothing. */
  readonly adopted?: AdoptedDatabase;
}

/** A deployment's database in ClickHouse, and a Kubernetes Secret by which its runtime enters it. */
export class RuntimeDatabase extends pulumi.ComponentResource {
  /** A secret. Plainly undefined without access. */
  public readonly access: pulumi.Output<DatabaseAccess> | undefined;

  constructor(name: string, args: RuntimeDatabaseArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("RuntimeDatabase"), name, {}, opts);
    const { secret, place, origin, adopted, ...settings } = args;
    const taken = adopted?.instance && { adopt: adopted.instance, adoptPassword: adopted.password };
    const made = new ClickHouseDatabase(`${name}-database`, { ...settings, ...taken }, { parent: this });
    const { host, port, secure, database, user, password } = made;
    const known = pulumi.all([host, port, secure, database, user, password]);
    const access = known.apply(([host, port, secure, database, user, password]) => {
      return { host, port, secure, database, user, password };
    });
    this.access = args.access ? pulumi.secret(access) : undefined;
    if (place && args.access) accessSecret(`${name}-secret`, secret, access, place, origin, adopted, { parent: this });
    this.registerOutputs({ access: this.access });
  }
}
