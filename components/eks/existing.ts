import { getClusterOutput } from "@pulumi/aws/eks";
import { getOpenIdConnectProviderOutput } from "@pulumi/aws/iam";
import type * as pulumi from "@pulumi/pulumi";
import type { RoleCluster } from "../cluster/serviceAccountRole/serviceAccountRole";
import { awsProvider } from "./eksCluster";
import type { ExistingEks, Identity } from "../cluster/onEks/onEks";

/** Looks up what a `ServiceAccountRole` needs to know about an existing cluster. */
export function existingIdentity(name: string, config: ExistingEks): RoleCluster {
  const aws = awsProvider(name, config);
  const found = getClusterOutput({ name: config.name }, { provider: aws });
  const url = found.identities.apply((all) => all[0]?.oidcs[0]?.issuer ?? "");
  return {
    name: config.name,
    arn: found.arn,
    vpcId: found.vpcConfig.vpcId,
    permissionsBoundary: config.roles.permissionsBoundary,
    oidcProviderArn: config.oidcProviderArn ?? providerOf(config.identity, url, aws),
    oidcProviderUrl: url,
    aws,
  };
}

/** Pod Identity needs no OIDC provider. */
const providerOf = (
  identity: Identity,
  url: pulumi.Output<string>,
  provider: pulumi.ProviderResource,
): pulumi.Input<string> => (identity === "irsa" ? getOpenIdConnectProviderOutput({ url }, { provider }).arn : "");
