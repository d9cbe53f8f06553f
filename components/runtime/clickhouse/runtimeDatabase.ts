import * as pulumi from "@pulumi/pulumi";
import { ClickHouseDatabase, type ClickHouseDatabaseArgs } from "../../resources/clickHouseDatabase";
import { component } from "../../resources/package";
import type { Origin } from "../record/origin";
import type { AdoptedDatabase } from "./adopted";
import { reachOf, type DatabaseAccess } from "../databaseAccess";
import { accessSecret, type SecretPlace } from "./accessSecret";

interface RuntimeDatabaseArgs extends ClickHouseDatabaseArgs {
  /** False: no user has access, and no Secret is created. Plain, because the Secret is a resource. */
  readonly access: boolean;
  /** Name of the Secret. */
  readonly secret: string;
  /** Where to create the Secret. Plain, because the Secret is a resource. Default: no Secret. */
  readonly place?: SecretPlace;
  /** Platform stack, provisioner and deployment, recorded on the Secret. */
  readonly origin: Origin;
  /** Existing objects to take over. Default: none. */
  readonly adopted?: AdoptedDatabase;
}

/** A deployment's database in ClickHouse, and a Kubernetes Secret with its runtime's credentials. */
export class RuntimeDatabase extends pulumi.ComponentResource {
  /** Credentials; secret. Undefined (not an output) without access. */
  public readonly access: pulumi.Output<DatabaseAccess> | undefined;

  constructor(name: string, args: RuntimeDatabaseArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("RuntimeDatabase"), name, {}, opts);
    const { secret, place, origin, adopted, ...settings } = args;
    const taken = adopted?.instance && { adopt: adopted.instance, adoptPassword: adopted.password };
    const made = new ClickHouseDatabase(`${name}-database`, { ...settings, ...taken }, { parent: this });
    const { host, port, secure, database, user, password } = made;
    const known = pulumi.all([host, port, secure, args.runtimeWriterUrl, database, user, password]);
    const access = known.apply(([host, port, secure, writerUrl, database, user, password]) => {
      return { host, port, secure, ...(writerUrl && { writer: reachOf(writerUrl) }), database, user, password };
    });
    this.access = args.access ? pulumi.secret(access) : undefined;
    if (place && args.access) accessSecret(`${name}-secret`, secret, access, place, origin, adopted, { parent: this });
    this.registerOutputs({ access: this.access });
  }
}
