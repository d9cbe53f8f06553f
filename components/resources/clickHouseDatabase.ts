// Generated from provider/resources/*/schema.ts by `npm run generate`; a test keeps it true.

import * as pulumi from "@pulumi/pulumi";

export interface ClickHouseDatabaseArgs {
  /** URL of the server's HTTP interface with a user who may make databases and users; a secret. */
  readonly url: pulumi.Input<string>;
  /** URL without user by which runtimes reach the server. Default: the one above. */
  readonly runtimeUrl?: pulumi.Input<string>;
  /** Cluster of several servers on which everything is made. Default: none, one server. */
  readonly cluster?: pulumi.Input<string>;
  /** Name of the database; can't change. */
  readonly database: pulumi.Input<string>;
  /** Name of its user; can't change. */
  readonly user: pulumi.Input<string>;
  /** Whose it is, for people; noted on the database. */
  readonly owner: pulumi.Input<string>;
  /** Rights to read from elsewhere: URL, REMOTE, MONGO, MYSQL, POSTGRES, S3, AZURE. Default: all. */
  readonly sources?: pulumi.Input<pulumi.Input<string>[]>;
  /** False removes the user and keeps the database. Default: true. */
  readonly access?: pulumi.Input<boolean>;
  /** Another text makes another password. Default: 1. */
  readonly passwordVersion?: pulumi.Input<string>;
  /** `Delete` or `Retain`: what becomes of the database when the resource is deleted. Default: Delete. */
  readonly whenDeleted?: pulumi.Input<string>;
  /**
   * Id that a database has in its comment: creating takes it over. Afterwards it does nothing. Default: it is made.
   */
  readonly adopt?: pulumi.Input<string>;
  /** Password that the user of that database has; a secret. Default: it gets another one. */
  readonly adoptPassword?: pulumi.Input<string>;
  /** Provisioner that it is with; noted on the database. */
  readonly provisioner?: pulumi.Input<string>;
}

/** A database and its user on a ClickHouse server that many share. */
export class ClickHouseDatabase extends pulumi.CustomResource {
  /** Host of the server, as runtimes reach it. */
  declare public readonly host: pulumi.Output<string>;
  /** Port of the HTTP interface. */
  declare public readonly port: pulumi.Output<number>;
  /** Whether it is HTTPS. */
  declare public readonly secure: pulumi.Output<boolean>;
  /** A secret. Undefined without access. */
  declare public readonly password: pulumi.Output<string>;
  /** Name of the database; can't change. */
  declare public readonly database: pulumi.Output<string>;
  /** Name of its user; can't change. */
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
