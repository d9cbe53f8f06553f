import * as ec2 from "@pulumi/aws/ec2";
import { VpcAttachment } from "@pulumi/aws/ec2transitgateway";
import { getAvailabilityZonesOutput } from "@pulumi/aws/getAvailabilityZones";
import * as pulumi from "@pulumi/pulumi";
import type { NetworkRoute } from "../../cluster/onEks/eksConfig";
import { component } from "../../resources/package";
import { planSubnets, subnetTags, ZONES_QUERY, type PlannedSubnet } from "./plan";

interface VpcArgs {
  /** Name of the cluster, for the tags that load balancers look for. Plain, because names depend on it. */
  readonly cluster: string;
  /** IPv4 range of the VPC (CIDR), /16 to /24. Plain, because the subnets are resources. */
  readonly cidr: string;
  /** Number of availability zones: 2 or 3. */
  readonly zones: number;
  /** One NAT gateway per zone, or a single one, which is cheaper but fails with its zone. */
  readonly nat: "perZone" | "single";
  /** Routes from the private subnets to connected networks, by name. Plain, because attachments are resources. */
  readonly routes: Readonly<Record<string, NetworkRoute>>;
}

/** Returns the zones, or throws if there are fewer than requested. */
export function requireZones(names: readonly string[], wanted: number): readonly string[] {
  if (names.length >= wanted) return names;
  const found = `found ${wanted}, and the region has ${names.length} zones for it: ${names.join(", ")}`;
  throw new pulumi.RunError(`stackyard:cluster.network.zones: ${found}; expected at most ${names.length}`);
}

/** A VPC with a private and a public subnet per zone. Private subnets reach the internet through NAT gateways. */
export class Vpc extends pulumi.ComponentResource {
  readonly vpcId: pulumi.Output<string>;
  /** In the order of the zones. */
  readonly privateSubnetIds: pulumi.Output<string>[];
  readonly publicSubnetIds: pulumi.Output<string>[];

  constructor(name: string, args: VpcArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("Vpc"), name, {}, opts);
    const parent = { parent: this };
    const vpc = new ec2.Vpc(
      name,
      { cidrBlock: args.cidr, enableDnsHostnames: true, enableDnsSupport: true, tags: { Name: args.cluster } },
      parent,
    );
    const available = getAvailabilityZonesOutput(ZONES_QUERY, parent);
    const zones = available.names.apply((names) => requireZones(names, args.zones));
    const plan = planSubnets(args.cidr, args.zones);
    const subnets = new Map(
      plan.map((subnet) => [subnet.key, this.createSubnet(name, args, vpc, zones[subnet.zone]!, subnet)]),
    );
    const idsOf = (kind: PlannedSubnet["kind"]) =>
      plan.filter((subnet) => subnet.kind === kind).map(({ key }) => subnets.get(key)!.id);
    this.vpcId = vpc.id;
    this.privateSubnetIds = idsOf("private");
    this.publicSubnetIds = idsOf("public");
    this.route(name, args, vpc, subnets);
    this.registerOutputs({ vpcId: this.vpcId, privateSubnetIds: this.privateSubnetIds });
  }

  private createSubnet(
    name: string,
    args: VpcArgs,
    vpc: ec2.Vpc,
    availabilityZone: pulumi.Input<string>,
    { key, kind, cidr }: PlannedSubnet,
  ): ec2.Subnet {
    return new ec2.Subnet(
      `${name}-${key}`,
      {
        vpcId: vpc.id,
        availabilityZone,
        cidrBlock: cidr,
        mapPublicIpOnLaunch: kind === "public",
        tags: { Name: `${args.cluster}-${key}`, ...subnetTags(kind, args.cluster) },
      },
      { parent: this },
    );
  }

  /** Attaches the private subnets, one in each zone, to the transit gateways of the routes. */
  private attach(
    name: string,
    { routes, cluster }: VpcArgs,
    vpc: ec2.Vpc,
    subnets: ReadonlyMap<string, ec2.Subnet>,
  ): VpcAttachment[] {
    const gateways = new Set(Object.values(routes).flatMap(({ transitGatewayId }) => transitGatewayId ?? []));
    const subnetIds = [...subnets].flatMap(([key, { id }]) => (key.startsWith("private-") ? [id] : []));
    return [...gateways].map(
      (transitGatewayId) =>
        new VpcAttachment(
          `${name}-${transitGatewayId}`,
          { transitGatewayId, vpcId: vpc.id, subnetIds, tags: { Name: cluster } },
          { parent: this },
        ),
    );
  }

  private route(name: string, args: VpcArgs, vpc: ec2.Vpc, subnets: ReadonlyMap<string, ec2.Subnet>): void {
    const parent = { parent: this };
    const everywhere = "0.0.0.0/0";
    const gateway = new ec2.InternetGateway(`${name}-internet`, { vpcId: vpc.id }, parent);
    const connected = Object.values(args.routes).map(({ cidr: cidrBlock, transitGatewayId, peeringConnectionId }) =>
      transitGatewayId === undefined
        ? { cidrBlock, vpcPeeringConnectionId: peeringConnectionId }
        : { cidrBlock, transitGatewayId },
    );
    const attachments = this.attach(name, args, vpc, subnets);
    const table = (
      key: string,
      target: { gatewayId?: pulumi.Output<string>; natGatewayId?: pulumi.Output<string> },
    ) => {
      const isPrivate = target.natGatewayId !== undefined;
      const routes = [{ cidrBlock: everywhere, ...target }, ...(isPrivate ? connected : [])];
      return new ec2.RouteTable(
        `${name}-${key}`,
        { vpcId: vpc.id, routes, tags: { Name: `${args.cluster}-${key}` } },
        // EC2 rejects a route to a transit gateway to which the VPC is not attached.
        { ...parent, dependsOn: isPrivate ? attachments : [] },
      );
    };
    const join = (key: string, { id }: ec2.RouteTable) =>
      new ec2.RouteTableAssociation(`${name}-${key}`, { subnetId: subnets.get(key)!.id, routeTableId: id }, parent);

    const open = table("public", { gatewayId: gateway.id });
    const tables = [open];
    let shared: ec2.RouteTable | undefined;
    for (let zone = 0; zone < args.zones; zone++) {
      join(`public-${zone}`, open);
      if (shared === undefined || args.nat === "perZone") {
        const address = new ec2.Eip(`${name}-nat-${zone}`, { domain: "vpc" }, { ...parent, dependsOn: gateway });
        const nat = { allocationId: address.id, subnetId: subnets.get(`public-${zone}`)!.id };
        const natGateway = new ec2.NatGateway(`${name}-nat-${zone}`, nat, { ...parent, dependsOn: gateway });
        shared = table(`private-${zone}`, { natGatewayId: natGateway.id });
        tables.push(shared);
      }
      join(`private-${zone}`, shared);
    }
    // Traffic to S3, the largest part on a data platform, bypasses the NAT gateways at no cost.
    const serviceName = pulumi.interpolate`com.amazonaws.${vpc.region}.s3`;
    const endpoint = { vpcId: vpc.id, serviceName, routeTableIds: tables.map(({ id }) => id) };
    new ec2.VpcEndpoint(`${name}-s3`, endpoint, parent);
  }
}
