// Generated from provider/resources/*/*Schema.ts by `npm run generate`; a test keeps it true.

import * as pulumi from "@pulumi/pulumi";

export interface ClickHouseDatabaseArgs {
  /** URL of the server's HTTP interface, with a user that may create databases and users; a secret. */
  readonly url: pulumi.Input<string>;
  /** URL that runtimes use, without a user. Default: `url`. */
  readonly runtimeUrl?: pulumi.Input<string>;
  /** URL that runtimes write to, without a user, if it differs. It is only recorded. Default: none. */
  readonly runtimeWriterUrl?: pulumi.Input<string>;
  /** Name of the ClickHouse cluster to create everything on. Default: none; a single server. */
  readonly cluster?: pulumi.Input<string>;
  /** Name of the database. It can't change. */
  readonly database: pulumi.Input<string>;
  /** Name of its user. It can't change. */
  readonly user: pulumi.Input<string>;
  /** Owner of the database, shown to users; recorded in the database's comment. */
  readonly owner: pulumi.Input<string>;
  /** Table sources that the user may read from: URL, REMOTE, MONGO, MYSQL, POSTGRES, S3, AZURE. Default: all. */
  readonly sources?: pulumi.Input<pulumi.Input<string>[]>;
  /** `false`: remove the user and keep the database. Default: true. */
  readonly access?: pulumi.Input<boolean>;
  /** Change it to create a new password. Default: 1. */
  readonly passwordVersion?: pulumi.Input<string>;
  /** `Delete` or `Retain`: whether deleting the resource drops or keeps the database. Default: Delete. */
  readonly whenDeleted?: pulumi.Input<string>;
  /**
   * Id in the comment of an existing database to take over on creation. It has no effect afterwards. Default: create
   * the database.
   */
  readonly adopt?: pulumi.Input<string>;
  /** Current password of that database's user; a secret. Default: a new password. */
  readonly adoptPassword?: pulumi.Input<string>;
  /** Provisioner of the database; recorded in the database's comment. */
  readonly provisioner?: pulumi.Input<string>;
}

/** A database and its user on a shared ClickHouse server. */
export class ClickHouseDatabase extends pulumi.CustomResource {
  /** Host of the server, as runtimes reach it. */
  declare public readonly host: pulumi.Output<string>;
  /** Port of the HTTP interface. */
  declare public readonly port: pulumi.Output<number>;
  /** `true`: the interface uses HTTPS. */
  declare public readonly secure: pulumi.Output<boolean>;
  /** Password of the user; a secret. Undefined without `access`. */
  declare public readonly password: pulumi.Output<string>;
  /** Name of the database. It can't change. */
  declare public readonly database: pulumi.Output<string>;
  /** Name of its user. It can't change. */
  declare public readonly user: pulumi.Output<string>;

  constructor(name: string, args: ClickHouseDatabaseArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      "stackyard:index:ClickHouseDatabase",
      name,
      {
        ...args,
        url: pulumi.secret(args.url),
        adoptPassword: args.adoptPassword === undefined ? undefined : pulumi.secret(args.adoptPassword),
        host: undefined,
        port: undefined,
        secure: undefined,
        password: undefined,
      },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["url", "adoptPassword", "password"] }),
    );
  }
}
