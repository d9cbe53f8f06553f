import * as ec2 from "@aws-sdk/client-ec2";
import type * as args from "@pulumi/aws/ec2";
import { connection, maker, required } from "./maker";

const client = new ec2.EC2Client(connection());
type Tags = Readonly<Record<string, string>> | undefined;

export const tagsOf = (tags: Tags): ec2.Tag[] => Object.entries(tags ?? {}).map(([Key, Value]) => ({ Key, Value }));
const tagged = (ResourceType: ec2.ResourceType, tags: Tags) =>
  tags && { TagSpecifications: [{ ResourceType, Tags: tagsOf(tags) }] };

async function retag(id: string, tags: Tags, old: Tags): Promise<void> {
  const gone = Object.keys(old ?? {}).filter((key) => tags?.[key] === undefined);
  const Resources = [id];
  if (gone.length > 0) await client.send(new ec2.DeleteTagsCommand({ Resources, Tags: gone.map((Key) => ({ Key })) }));
  if (tags) await client.send(new ec2.CreateTagsCommand({ Resources, Tags: tagsOf(tags) }));
}

async function setDns(VpcId: string, { enableDnsHostnames, enableDnsSupport }: Record<string, unknown>): Promise<void> {
  const set = (attribute: object) => client.send(new ec2.ModifyVpcAttributeCommand({ VpcId, ...attribute }));
  if (enableDnsSupport !== undefined) await set({ EnableDnsSupport: { Value: enableDnsSupport } });
  if (enableDnsHostnames !== undefined) await set({ EnableDnsHostnames: { Value: enableDnsHostnames } });
}

export const vpc = maker<args.VpcArgs>({
  takes: ["cidrBlock", "enableDnsHostnames", "enableDnsSupport", "tags"],
  async create({ cidrBlock, tags, ...dns }) {
    const request = { CidrBlock: cidrBlock, ...tagged("vpc", tags) };
    const id = required((await client.send(new ec2.CreateVpcCommand(request))).Vpc?.VpcId);
    await setDns(id, dns);
    return { id };
  },
  async update(id, { tags, ...dns }, old) {
    await setDns(id, dns);
    await retag(id, tags, old.tags);
  },
  delete: (VpcId) => client.send(new ec2.DeleteVpcCommand({ VpcId })),
});

const setPublic = (SubnetId: string, Value: boolean | undefined) =>
  client.send(new ec2.ModifySubnetAttributeCommand({ SubnetId, MapPublicIpOnLaunch: { Value: Value ?? false } }));

export const subnet = maker<args.SubnetArgs>({
  takes: ["availabilityZone", "cidrBlock", "mapPublicIpOnLaunch", "tags", "vpcId"],
  async create({ availabilityZone, cidrBlock, mapPublicIpOnLaunch, tags, vpcId }) {
    const place = { VpcId: vpcId, AvailabilityZone: availabilityZone, CidrBlock: cidrBlock };
    const made = await client.send(new ec2.CreateSubnetCommand({ ...place, ...tagged("subnet", tags) }));
    const id = required(made.Subnet?.SubnetId);
    await setPublic(id, mapPublicIpOnLaunch);
    return { id, outputs: { arn: made.Subnet?.SubnetArn } };
  },
  async update(id, { mapPublicIpOnLaunch, tags }, old) {
    await setPublic(id, mapPublicIpOnLaunch);
    await retag(id, tags, old.tags);
  },
  delete: (SubnetId) => client.send(new ec2.DeleteSubnetCommand({ SubnetId })),
});

export const internetGateway = maker<args.InternetGatewayArgs>({
  takes: ["vpcId", "tags"],
  async create({ vpcId, tags }) {
    const made = await client.send(new ec2.CreateInternetGatewayCommand({ ...tagged("internet-gateway", tags) }));
    const id = required(made.InternetGateway?.InternetGatewayId);
    if (vpcId !== undefined) {
      await client.send(new ec2.AttachInternetGatewayCommand({ InternetGatewayId: id, VpcId: vpcId }));
    }
    return { id };
  },
  async delete(InternetGatewayId, { vpcId: VpcId }) {
    if (VpcId !== undefined) await client.send(new ec2.DetachInternetGatewayCommand({ InternetGatewayId, VpcId }));
    await client.send(new ec2.DeleteInternetGatewayCommand({ InternetGatewayId }));
  },
});

export const eip = maker<args.EipArgs>({
  takes: ["domain", "tags"],
  async create({ domain, tags }) {
    const request = { Domain: domain as ec2.DomainType, ...tagged("elastic-ip", tags) };
    const { AllocationId, PublicIp } = await client.send(new ec2.AllocateAddressCommand(request));
    return { id: required(AllocationId), outputs: { allocationId: AllocationId, publicIp: PublicIp } };
  },
  delete: (AllocationId) => client.send(new ec2.ReleaseAddressCommand({ AllocationId })),
});

export const natGateway = maker<args.NatGatewayArgs>({
  takes: ["allocationId", "subnetId", "tags"],
  async create({ allocationId, subnetId, tags }) {
    const request = { AllocationId: allocationId, SubnetId: subnetId, ...tagged("natgateway", tags) };
    const { NatGateway } = await client.send(new ec2.CreateNatGatewayCommand(request));
    return { id: required(NatGateway?.NatGatewayId) };
  },
  delete: (NatGatewayId) => client.send(new ec2.DeleteNatGatewayCommand({ NatGatewayId })),
});

type Route = { cidrBlock?: string; gatewayId?: string; natGatewayId?: string };
const routeOf = ({ cidrBlock, gatewayId, natGatewayId }: Route) => ({
  DestinationCidrBlock: cidrBlock,
  GatewayId: gatewayId,
  NatGatewayId: natGatewayId,
});

export const routeTable = maker<args.RouteTableArgs>({
  takes: ["routes", "tags", "vpcId"],
  async create({ routes, tags, vpcId }) {
    const made = await client.send(new ec2.CreateRouteTableCommand({ VpcId: vpcId, ...tagged("route-table", tags) }));
    const id = required(made.RouteTable?.RouteTableId);
    for (const route of routes ?? []) {
      await client.send(new ec2.CreateRouteCommand({ RouteTableId: id, ...routeOf(route) }));
    }
    return { id };
  },
  async update(RouteTableId, { routes, tags }, old) {
    for (const { cidrBlock } of old.routes ?? []) {
      await client.send(new ec2.DeleteRouteCommand({ RouteTableId, DestinationCidrBlock: cidrBlock }));
    }
    for (const route of routes ?? []) {
      await client.send(new ec2.CreateRouteCommand({ RouteTableId, ...routeOf(route) }));
    }
    await retag(RouteTableId, tags, old.tags);
  },
  delete: (RouteTableId) => client.send(new ec2.DeleteRouteTableCommand({ RouteTableId })),
});

export const routeTableAssociation = maker<args.RouteTableAssociationArgs>({
  takes: ["routeTableId", "subnetId"],
  async create({ routeTableId, subnetId }) {
    const request = { RouteTableId: routeTableId, SubnetId: subnetId };
    return { id: required((await client.send(new ec2.AssociateRouteTableCommand(request))).AssociationId) };
  },
  delete: (AssociationId) => client.send(new ec2.DisassociateRouteTableCommand({ AssociationId })),
});

export const vpcEndpoint = maker<args.VpcEndpointArgs>({
  takes: ["routeTableIds", "serviceName", "tags", "vpcEndpointType", "vpcId"],
  async create({ routeTableIds, serviceName, tags, vpcEndpointType = "Gateway", vpcId }) {
    const kind = { ServiceName: serviceName, VpcEndpointType: vpcEndpointType as ec2.VpcEndpointType };
    const place = { ...kind, VpcId: vpcId, RouteTableIds: routeTableIds };
    const made = await client.send(new ec2.CreateVpcEndpointCommand({ ...place, ...tagged("vpc-endpoint", tags) }));
    return { id: required(made.VpcEndpoint?.VpcEndpointId) };
  },
  async delete(id) {
    const { Unsuccessful = [] } = await client.send(new ec2.DeleteVpcEndpointsCommand({ VpcEndpointIds: [id] }));
    for (const { Error: error } of Unsuccessful) throw new Error(`${error?.Code}: ${error?.Message}`);
  },
});
