// Generated from provider/resources/*/*Schema.ts by `npm run generate`; a test keeps it true.

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
  /**
   * Name of the runtime, unique in the tenant: a-z, 0-9, - and ., at most 36 characters, not starting with a digit.
   */
  readonly name: pulumi.Input<string>;
  /** Description of the runtime, at most 2000 characters. */
  readonly description?: pulumi.Input<string>;
  /** Labels; keys consist of letters, digits and _. Other labels of the runtime are kept. */
  readonly labels?: pulumi.Input<Record<string, unknown>>;
  /**
   * Owner of the runtime, such as organization/stackyard/dev/acme. An existing registration of the same owner is
   * taken over. Optional.
   */
  readonly owner?: pulumi.Input<string>;
}

/** A runtime registered in a Director, the registry of runtimes of Compass. */
export class DirectorRuntime extends pulumi.CustomResource {
  /** Id of the runtime in the Director. */
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
