/** Plans the control plane of an existing cluster, with its logs and its OIDC provider. Pure. */

import type * as eks from "@aws-sdk/client-eks";
import type { ImportedResource } from "../../../components/cluster/onEks/eksImports";
import { CONTROL_PLANE_LOGS, LOG_RETENTION_DAYS } from "../../../components/eks/config/schema";
import { parseCidr } from "../../../foundation/net/cidr";
import type { SeenEks } from "./seen";

/** As many as `endpoint.securityGroupIds` takes. */
const MOST_GROUPS = 4;

export function planControlPlane(seen: SeenEks) {
  const { cluster, oidcProvider } = seen;
  const { name = "", encryptionConfig = [], deletionProtection = false } = cluster;
  const [key] = encryptionConfig.flatMap(({ provider }) => provider?.keyArn ?? []);
  const [endpoint, logs] = [planEndpoint(cluster.resourcesVpcConfig), planLogs(seen)];
  const tier = cluster.controlPlaneScalingConfig?.tier;
  const keep = [
    ...["kubernetesNetworkConfig", "vpcConfig.subnetIds", "remoteNetworkConfig", "computeConfig", "storageConfig"],
    ...["kubeApiServerConfig", "kubeControllerManagerConfig", "kubeSchedulerConfig", "tags"],
    ...(key === undefined ? ["encryptionConfig"] : []),
    ...endpoint.keep,
  ];
  const imports: ImportedResource[] = [
    { type: "aws:eks/cluster:Cluster", name: "control-plane", id: name, keep, retain: false },
    ...logs.imports,
  ];
  if (oidcProvider !== undefined)
    imports.push({
      ...{ type: "aws:iam/openIdConnectProvider:OpenIdConnectProvider", name: "control-plane-oidc", id: oidcProvider },
      ...{ keep: ["thumbprintLists", "clientIdLists", "tags"], retain: false },
    });
  return {
    imports,
    settings: {
      endpoint: endpoint.settings,
      ...(key !== undefined && { kmsKey: key }),
      ...logs.settings,
      ...(cluster.zonalShiftConfig?.enabled !== undefined && { zonalShift: cluster.zonalShiftConfig.enabled }),
      ...(tier !== undefined && { controlPlaneTier: tier }),
      ...(!deletionProtection && { deletionProtection: false }),
    },
    kept: [
      ...endpoint.kept,
      ...(key === undefined
        ? [
            "kmsKey: EKS encrypts secrets with a key of its own; remove encryptionConfig from keep for the key of the stack, which EKS can't take back",
          ]
        : []),
      ...logs.kept,
      ...(deletionProtection ? [] : ["deletionProtection: off; remove the key to protect the cluster"]),
    ],
    changed: [
      ...logs.changed,
      ...(oidcProvider === undefined ? ["OIDC provider for IAM roles of service accounts is created"] : []),
      ...(key === undefined ? [`KMS key alias/eks/${name} is created, and not used yet`] : []),
      "tags of the stack are added to all resources",
      "storage class gp3 is created, and is a default one",
    ],
    outside: [],
  };
}

/** If the public endpoint is open to everybody, the config has only the private one. */
function planEndpoint({
  publicAccessCidrs = [],
  endpointPublicAccess,
  endpointPrivateAccess = false,
  securityGroupIds: groups = [],
}: eks.VpcConfigResponse = {}) {
  const isOpen = endpointPublicAccess === true && publicAccessCidrs.some((cidr) => parseCidr(cidr)?.bits === 0);
  const publicCidrs = endpointPublicAccess && !isOpen ? publicAccessCidrs : [];
  return {
    settings: {
      private: endpointPrivateAccess || isOpen,
      ...(publicCidrs.length > 0 && { publicCidrs }),
      ...(groups.length > 0 && groups.length <= MOST_GROUPS && { securityGroupIds: groups }),
    },
    keep: [
      ...(isOpen ? ["vpcConfig.publicAccessCidrs", "vpcConfig.endpointPublicAccess"] : []),
      ...(isOpen && !endpointPrivateAccess ? ["vpcConfig.endpointPrivateAccess"] : []),
      ...(groups.length > MOST_GROUPS ? ["vpcConfig.securityGroupIds"] : []),
    ],
    kept: isOpen
      ? [
          "endpoint.publicCidrs: the API server is open to 0.0.0.0/0; set your ranges, and remove vpcConfig.publicAccessCidrs, endpointPublicAccess and endpointPrivateAccess from keep",
        ]
      : [],
  };
}

function planLogs({ cluster: { name = "", logging }, logs }: SeenEks) {
  const enabled = CONTROL_PLANE_LOGS.filter((log) =>
    logging?.clusterLogging?.some(({ enabled: on, types = [] }) => on && types.includes(log)),
  );
  const days = logs?.retentionDays;
  const keepsDays = logs !== undefined && (days === undefined || !LOG_RETENTION_DAYS.includes(days));
  const id = `/aws/eks/${name}/cluster`;
  const keep = [...(keepsDays ? ["retentionInDays"] : []), "kmsKeyId", "logGroupClass", "skipDestroy", "tags"];
  const group = { type: "aws:cloudwatch/logGroup:LogGroup", name: "control-plane-logs", id, keep, retain: false };
  return {
    imports: logs ? [group] : [],
    settings: {
      ...(enabled.length < CONTROL_PLANE_LOGS.length && { logs: enabled }),
      ...(days !== undefined && !keepsDays && { logRetentionDays: days }),
    },
    kept: keepsDays
      ? [`logRetentionDays: logs are kept ${days ?? "for ever"}; remove retentionInDays from keep to set it`]
      : [],
    changed: logs ? [] : [`log group ${id} is created`],
  };
}
