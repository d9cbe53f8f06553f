import type { Json } from "../../../foundation/json/isObject";
import { at, isList, listAt, textAt, type KubeObject } from "../../../kubernetes/objects/objects";

/** Returns the provider block of a request from the Shoot of a cluster. Pure. */
export function providerBlockOf(shoot: KubeObject, worker: Json): Json | undefined {
  const infrastructure = at(shoot, "spec", "provider", "infrastructureConfig");
  const zones = isList(worker["zones"]) ? worker["zones"] : [];
  const provider = textAt(shoot, "spec", "provider", "type");
  const networks = at(infrastructure, "networks");
  if (provider === "gcp") return { gcpConfig: { zones } };
  if (provider === "azure") return { azureConfig: azure(networks, zones) };
  if (provider === "aws") return { awsConfig: aws(networks, worker) };
  if (provider !== "openstack") return undefined;
  return {
    openStackConfig: {
      zones,
      floatingPoolName: textAt(infrastructure, "floatingPoolName"),
      cloudProfileName: textAt(shoot, "spec", "cloudProfileName"),
      loadBalancerProvider: textAt(shoot, "spec", "provider", "controlPlaneConfig", "loadBalancerProvider"),
    },
  };
}

function azure(networks: unknown, zones: readonly unknown[]): Json {
  const own = listAt(networks, "zones");
  const gateway = at(own[0] ?? networks, "natGateway");
  const isEnabled = at(gateway, "enabled") === true;
  return {
    vnetCidr: textAt(networks, "vnet", "cidr"),
    ...(own.length > 0
      ? { azureZones: own.map(({ name, cidr }) => ({ name, cidr })) }
      : zones.length > 0
        ? { zones }
        : {}),
    ...(isEnabled && {
      enableNatGateway: true,
      idleConnectionTimeoutMinutes: at(gateway, "idleConnectionTimeoutMinutes"),
    }),
  };
}

function aws(networks: unknown, worker: Json): Json {
  return {
    vpcCidr: textAt(networks, "vpc", "cidr"),
    awsZones: listAt(networks, "zones").map((zone) => ({
      name: zone["name"],
      publicCidr: zone["public"],
      internalCidr: zone["internal"],
      workerCidr: zone["workers"],
    })),
    ...(textAt(worker, "providerConfig", "instanceMetadataOptions", "httpTokens") === "required" && {
      enableIMDSv2: true,
    }),
  };
}
