// Generated from provider/resources/*/*Schema.ts by `npm run generate`; a test keeps it true.

import * as pulumi from "@pulumi/pulumi";

export interface RuntimeAgentArgs {
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
  /** Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current context. */
  readonly context?: pulumi.Input<string>;
  /**
   * Address of the cluster (its server URL). Another cluster, by its UID, replaces the resource; another address does
   * not.
   */
  readonly cluster: pulumi.Input<string>;
  /** Id of the runtime in the Director. */
  readonly runtimeId: pulumi.Input<string>;
  /** Labels of the runtime in the Director, such as gardenerClusterName. */
  readonly labels?: pulumi.Input<Record<string, unknown>>;
  /** Namespace of the agent. Default: compass-system. */
  readonly namespace?: pulumi.Input<string>;
  /** Whether to wait until the agent is connected. Default: true. */
  readonly connect?: pulumi.Input<boolean>;
  /** Seconds until the agent must be connected. Default: 900. */
  readonly timeoutSeconds?: pulumi.Input<number>;
}

/** The configuration of the Compass agent in a runtime, and its connection to the Director. */
export class RuntimeAgent extends pulumi.CustomResource {
  /** State of the connection, as the agent reports it. */
  declare public readonly connectionState: pulumi.Output<string | undefined>;

  constructor(name: string, args: RuntimeAgentArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      "stackyard:index:RuntimeAgent",
      name,
      {
        ...args,
        clientSecret: pulumi.secret(args.clientSecret),
        kubeconfig: args.kubeconfig === undefined ? undefined : pulumi.secret(args.kubeconfig),
        connectionState: undefined,
      },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["clientSecret", "kubeconfig"] }),
    );
  }
}
