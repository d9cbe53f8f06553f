// Generated from provider/resources/*/schema.ts by `npm run generate`; a test keeps it true.

import * as pulumi from "@pulumi/pulumi";

export interface DirectorRuntimeArgs {
  /** URL of the Director's GraphQL API. */
  readonly url: pulumi.Input<string>;
  /** URL where OAuth 2.0 tokens are issued for client credentials. */
  readonly tokenUrl: pulumi.Input<string>;
  /** Client id. */
  readonly clientId: pulumi.Input<string>;
  /** Client secret. */
  readonly clientSecret: pulumi.Input<string>;
  /** Tenant of the runtime. */
  readonly tenant: pulumi.Input<string>;
  /** Accept any certificate of both servers. Default: false. */
  readonly skipCertVerification?: pulumi.Input<boolean>;
  /** Name of the runtime, unique in the tenant: a-z, 0-9, - and ., 36 characters, no digit first. */
  readonly name: pulumi.Input<string>;
  /** What it is for. At most 2000 characters. */
  readonly description?: pulumi.Input<string>;
  /** Labels; keys of letters, digits and _. Others that it has are kept. */
  readonly labels?: pulumi.Input<Record<string, unknown>>;
  /**
   * Whose the runtime is, such as organization/stackyard/dev/acme. A registration of the same owner is taken over.
   * Optional.
   */
  readonly owner?: pulumi.Input<string>;
}

/** A runtime registered in a Director, which keeps the runtimes of Compass. */
export class DirectorRuntime extends pulumi.CustomResource {
  /** Id that the Director gave it. */
  declare public readonly runtimeId: pulumi.Output<string>;

  constructor(name: string, args: DirectorRuntimeArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      "stackyard:index:DirectorRuntime",
      name,
      { ...args, clientSecret: pulumi.secret(args.clientSecret), runtimeId: undefined },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["clientSecret"] }),
    );
  }
}
