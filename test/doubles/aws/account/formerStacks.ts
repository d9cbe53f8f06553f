import * as cf from "@aws-sdk/client-cloudformation";
import * as ec2 from "@aws-sdk/client-ec2";
import * as iam from "@aws-sdk/client-iam";
import * as sts from "@aws-sdk/client-sts";
import type { Properties } from "../../../../foundation/pulumi/resource";
import type { ExistingAccount } from "../existingAccount";
import { thingsOf } from "../existingThings";
import { connection } from "../moto/maker";
import { dependants, drop, find, keep } from "../world";
import { Refusal } from "./refusal";

const SUBNET = "aws:ec2/subnet:Subnet";
const ADMIN = "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy";

interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly Properties: Properties;
}

type Template = Readonly<Record<string, Resource>>;

/**
 * CloudFormation's handlers of `AWS::EKS::Cluster` and `AWS::EKS::Nodegroup`, which moto lacks: stacks that have no
 * other resources are created here, as things of the double's account. Subnets that moto's stacks create become things too.
 */
export class FormerStacks {
  private readonly stacks = new Map<string, { readonly tags: URLSearchParams; readonly resources: Template }>();

  constructor(
    private readonly moto: string,
    private readonly kubeconfig: string,
  ) {}

  /** The answer to a request of the query API; undefined if it is moto's. `key`: of who asks. */
  async answer(asked: URLSearchParams, key: string): Promise<string | undefined> {
    const name = asked.get("StackName") ?? "";
    const own = this.stacks.get(name);
    switch (asked.get("Action") ?? "") {
      case "CreateStack": {
        const body = asked.get("TemplateBody") ?? "";
        if (!body.includes('"AWS::EKS::')) return undefined;
        await this.create(name, (JSON.parse(body) as { Resources: Template }).Resources, asked, key);
        return `<CreateStackResponse><CreateStackResult><StackId>${name}</StackId></CreateStackResult></CreateStackResponse>`;
      }
      case "DescribeStacks":
        return own && described(name, own.tags);
      case "DeleteStack":
        if (own === undefined) return this.release(name);
        this.delete(name, own.resources);
        return "<DeleteStackResponse/>";
      default:
        return undefined;
    }
  }

  private async create(name: string, resources: Template, tags: URLSearchParams, key: string): Promise<void> {
    if (this.stacks.has(name)) throw new Refusal("AlreadyExistsException", `Stack [${name}] already exists`);
    const of = (type: string): Properties[] =>
      Object.values(resources).flatMap(({ Type, Properties }) => (Type === `AWS::EKS::${type}` ? [Properties] : []));
    const [given] = of("Cluster");
    const cluster = String(given?.["Name"]);
    if (find("aws:eks/cluster:Cluster", cluster))
      throw new Refusal(
        "ValidationError",
        `Resource of type 'AWS::EKS::Cluster' with identifier '${cluster}' already exists.`,
      );
    const account = await this.accountOf(given ?? {}, of("Nodegroup"), key);
    for (const { SubnetId = "", AvailabilityZone, VpcId } of await this.subnets(given ?? {})) {
      const inputs = { availabilityZone: AvailabilityZone, vpcId: VpcId };
      keep({ token: SUBNET, id: SubnetId, inputs, outputs: inputs });
    }
    for (const thing of thingsOf(account, this.kubeconfig)) {
      const { endpoint, certificateAuthority } = thing.outputs;
      const { vpcId } = account.cluster["resourcesVpcConfig"] as Properties;
      const vpcConfig = { ...(thing.outputs["vpcConfig"] as object), vpcId };
      const isCluster = thing.token === "aws:eks/cluster:Cluster";
      // What does not change with the inputs.
      keep(
        isCluster
          ? { ...thing, outputs: { ...thing.outputs, vpcConfig }, moto: { endpoint, certificateAuthority } }
          : thing,
      );
    }
    this.stacks.set(name, { tags, resources });
  }

  /** A cluster with its node groups in the fields of AWS' answers. */
  private async accountOf(given: Properties, groups: Properties[], key: string): Promise<ExistingAccount> {
    const {
      SubnetIds: subnetIds,
      EndpointPrivateAccess,
      EndpointPublicAccess,
      PublicAccessCidrs,
    } = given["ResourcesVpcConfig"] as Properties;
    const [subnet] = await this.subnets(given);
    const access = given["AccessConfig"] as Properties;
    const roles = [given["RoleArn"], ...groups.map((group) => group["NodeRole"])].map((arn) =>
      String(arn).split("/").at(-1)!,
    );
    const principalArn = await this.principal(key);
    return {
      cluster: {
        ...{ name: String(given["Name"]), version: given["Version"], roleArn: given["RoleArn"], tags: {} },
        resourcesVpcConfig: {
          ...{ subnetIds, securityGroupIds: [], publicAccessCidrs: PublicAccessCidrs, vpcId: subnet?.VpcId },
          ...{ endpointPublicAccess: EndpointPublicAccess, endpointPrivateAccess: EndpointPrivateAccess },
        },
        kubernetesNetworkConfig: { serviceIpv4Cidr: "10.100.0.0/16", ipFamily: "ipv4" },
        accessConfig: { authenticationMode: access["AuthenticationMode"] },
        ...{ upgradePolicy: { supportType: "EXTENDED" }, deletionProtection: false },
      },
      nodegroups: groups.map((group) => {
        const { MinSize, MaxSize, DesiredSize } = group["ScalingConfig"] as Properties;
        return {
          ...{ nodegroupName: String(group["NodegroupName"]), nodeRole: group["NodeRole"], subnets: group["Subnets"] },
          ...{ amiType: group["AmiType"], instanceTypes: group["InstanceTypes"], capacityType: "ON_DEMAND" },
          ...{ diskSize: 20, version: given["Version"], labels: {}, updateConfig: { maxUnavailable: 1 } },
          scalingConfig: { minSize: MinSize, maxSize: MaxSize, desiredSize: DesiredSize },
        };
      }),
      entries: access["BootstrapClusterCreatorAdminPermissions"]
        ? [
            {
              entry: { principalArn, kubernetesGroups: [], type: "STANDARD" },
              policies: [{ policyArn: ADMIN, accessScope: { type: "cluster", namespaces: [] } }],
            },
          ]
        : [],
      ...{ addons: [], templates: [], logGroups: [], oidcProviders: [], subnetSet: [], routeTableSet: [] },
      attached: Object.fromEntries(
        await Promise.all(roles.map(async (role) => [role, await this.attached(role)] as const)),
      ),
    };
  }

  /** Fails as CreateCluster does if a subnet is not there. */
  private async subnets(given: Properties): Promise<ec2.Subnet[]> {
    const { SubnetIds = [] } = given["ResourcesVpcConfig"] as { SubnetIds?: string[] };
    const client = new ec2.EC2Client(connection(this.moto));
    return (await client.send(new ec2.DescribeSubnetsCommand({ SubnetIds }))).Subnets ?? [];
  }

  private async attached(RoleName: string): Promise<string[]> {
    const client = new iam.IAMClient(connection(this.moto));
    const { AttachedPolicies = [] } = await client.send(new iam.ListAttachedRolePoliciesCommand({ RoleName }));
    return AttachedPolicies.map(({ PolicyName = "" }) => PolicyName);
  }

  /** The role whose session has this access key. */
  private async principal(accessKeyId: string): Promise<string> {
    const at = { ...connection(this.moto), credentials: { accessKeyId, secretAccessKey: "double" } };
    const { Arn = "" } = await new sts.STSClient(at).send(new sts.GetCallerIdentityCommand({}));
    return Arn.replace(/:sts:(.*):assumed-role\/([^/]+)\/.*/, ":iam:$1:role/$2");
  }

  /** moto's CloudFormation deletes no route tables and gateways, which keep a VPC from being deleted. */
  private async deleteRoutes(RouteTableId: string): Promise<void> {
    const client = new ec2.EC2Client(connection(this.moto));
    const { RouteTables = [] } = await client.send(
      new ec2.DescribeRouteTablesCommand({ RouteTableIds: [RouteTableId] }),
    );
    for (const { RouteTableAssociationId: AssociationId } of RouteTables.flatMap(
      ({ Associations = [] }) => Associations,
    ))
      await client.send(new ec2.DisassociateRouteTableCommand({ AssociationId }));
    await client.send(new ec2.DeleteRouteTableCommand({ RouteTableId }));
  }

  private async deleteGateway(InternetGatewayId: string): Promise<void> {
    const client = new ec2.EC2Client(connection(this.moto));
    const asked = { InternetGatewayIds: [InternetGatewayId] };
    const { InternetGateways = [] } = await client.send(new ec2.DescribeInternetGatewaysCommand(asked));
    for (const { VpcId } of InternetGateways.flatMap(({ Attachments = [] }) => Attachments))
      await client.send(new ec2.DetachInternetGatewayCommand({ InternetGatewayId, VpcId }));
    await client.send(new ec2.DeleteInternetGatewayCommand({ InternetGatewayId }));
  }

  private delete(name: string, resources: Template): void {
    const lost = Object.entries(resources).filter(([, { DeletionPolicy }]) => DeletionPolicy !== "Retain");
    if (lost.length > 0) throw new Error(`the double deletes no ${lost.map(([each]) => each).join(", ")}`);
    this.stacks.delete(name);
  }

  /** Before moto deletes a stack, whose subnets and roles must not be in use. */
  private async release(StackName: string): Promise<undefined> {
    const client = new cf.CloudFormationClient(connection(this.moto));
    const { StackResources = [] } = await client.send(new cf.DescribeStackResourcesCommand({ StackName }));
    for (const { PhysicalResourceId: id = "", ResourceType: type } of StackResources) {
      if (type === "AWS::EC2::RouteTable") await this.deleteRoutes(id);
      if (type === "AWS::EC2::InternetGateway") await this.deleteGateway(id);
      const token = { "AWS::EC2::Subnet": SUBNET, "AWS::IAM::Role": "aws:iam/role:Role" }[type ?? ""];
      if (token === undefined || find(token, id) === undefined) continue;
      // Attachments of the stack's own policies go with the role.
      const users = dependants(token, id).filter((user) => !user.startsWith("RolePolicyAttachment "));
      if (users.length > 0) throw new Refusal("DependencyViolation", `${id} is in use by ${users.join(", ")}`);
      drop(token, id);
    }
    return undefined;
  }
}

function described(name: string, asked: URLSearchParams): string {
  const tags = [...asked].flatMap(([key, value]) => {
    const [, index] = /^Tags\.member\.(\d+)\.Key$/.exec(key) ?? [];
    if (index === undefined) return [];
    return [`<member><Key>${value}</Key><Value>${asked.get(`Tags.member.${index}.Value`)}</Value></member>`];
  });
  const stack = `<StackName>${name}</StackName><StackStatus>CREATE_COMPLETE</StackStatus><Tags>${tags.join("")}</Tags>`;
  return `<DescribeStacksResponse><DescribeStacksResult><Stacks><member>${stack}</member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
}
