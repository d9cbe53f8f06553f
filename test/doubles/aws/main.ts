import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as rpc from "@pulumi/pulumi/proto/provider_pb";
import { changesBetween } from "../../../foundation/pulumi/changes";
import type { Properties, ResourceHandler } from "../../../foundation/pulumi/resource";
import { service, type Provider } from "../../../provider/framework/service";
import { Sessions } from "../../../provider/framework/session";
import { decode, encode } from "../../../foundation/pulumi/protocol/values";
import { argumentsOf } from "./catalog";
import { inMoto } from "./moto";
import { idOf, outputsOf, unknownOutputs } from "./outputs";
import { CALLER, existingSubnets, offers, refuse, updatesOf } from "./refusals";
import { faultsOf } from "./strict";
import { dangling, dependants, drop, find, keep, things } from "./world";

/**
 * A double of the `aws` provider that sends no requests to AWS. It accepts what the provider's typings and AWS's
 * documented limits permit, rejects references to missing resources, and refuses to delete resources in use. With the
 * address of a moto server in STACKYARD_AWS_MOTO, it creates the types that moto supports there, with moto's ids and
 * ARNs.
 */

const handler = (token: string): ResourceHandler<Properties, Properties> => ({
  check: (_context, inputs) => Promise.resolve({ inputs, failures: faultsOf(token, inputs) }),
  diff: (_context, _id, old, inputs) => {
    const replacing = Object.entries(argumentsOf(token)).flatMap(([name, { replaces }]) => (replaces ? [name] : []));
    return Promise.resolve({ changes: changesBetween(old.inputs, inputs, replacing) });
  },
  create: async (context, inputs) => {
    if (context.preview) return { id: "", state: unknownOutputs(token, inputs) };
    refuseDangling(inputs);
    refuse(token, inputs);
    const made = await (await inMoto(token))?.create(inputs);
    const id = made?.id ?? idOf(token, inputs, Math.floor(Math.random() * 1e9));
    // EKS gives a policy of a principal another scope; it has one association of them.
    if (find(token, id) && token !== "aws:eks/accessPolicyAssociation:AccessPolicyAssociation")
      throw new Error(`EntityAlreadyExists: ${id}`);
    const outputs = { ...outputsOf(token, id, inputs), ...made?.outputs };
    keep({ token, id, inputs, outputs, moto: made?.outputs });
    return { id, state: outputs };
  },
  read: (_context, id) => {
    const thing = find(token, id);
    return Promise.resolve(thing && { inputs: thing.inputs, state: thing.outputs });
  },
  update: async (context, id, old, inputs) => {
    refuseDangling(inputs);
    if (!context.preview && token !== "aws:eks/accessEntry:AccessEntry") refuse(token, inputs, old.inputs);
    const changed = context.preview ? undefined : await (await inMoto(token))?.update?.(id, inputs, old.inputs);
    const moto = { ...find(token, id)?.moto, ...changed };
    const outputs = { ...outputsOf(token, id, inputs), ...moto };
    if (!context.preview) keep({ token, id, inputs, outputs, moto, updates: updatesOf(token, id, inputs, old.inputs) });
    return outputs;
  },
  delete: async (_context, id, old) => {
    const users = dependants(token, id);
    if (users.length > 0) throw new Error(`DependencyViolation: ${id} is in use by ${users.join(", ")}`);
    await (await inMoto(token))?.delete(id, old.inputs);
    drop(token, id);
  },
});

function refuseDangling(inputs: Properties): void {
  const gone = dangling(inputs);
  if (gone.length > 0) throw new Error(`NotFound: ${gone.join(", ")}`);
}

/** Any type: the catalog rejects unknown ones. */
const handlers = new Proxy<Provider["handlers"]>(
  {},
  {
    getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true, value: undefined }),
    get: (_target, token) => () => Promise.resolve(handler(String(token))),
  },
);

const sized = (defaultVcpus: number, gib: number, interfaces: number, addresses: number): Properties => ({
  defaultVcpus,
  memorySize: gib * 1024,
  maximumNetworkInterfaces: interfaces,
  maximumIpv4AddressesPerInterface: addresses,
});
/** The instance types in stack files, as `aws ec2 describe-instance-types` returns them. */
const SIZES: Readonly<Record<string, Properties>> = {
  "m7i.large": sized(2, 8, 3, 10),
  "m7i.xlarge": sized(4, 16, 4, 15),
  "m7a.xlarge": sized(4, 16, 4, 15),
  "m7i.2xlarge": sized(8, 32, 4, 15),
  "m7a.2xlarge": sized(8, 32, 4, 15),
  "m6i.2xlarge": sized(8, 32, 4, 15),
  "r7g.2xlarge": sized(8, 64, 4, 15),
};

/** Service-linked roles, which an account has once somebody used their services. */
const LINKED: Readonly<Record<string, string>> = {
  AWSServiceRoleForEC2Spot: "spot.amazonaws.com",
  AWSServiceRoleForAutoScaling: "autoscaling.amazonaws.com",
};

/** Whose credentials these are, if STS can be asked. */
async function callerArn(): Promise<string | undefined> {
  if (!process.env["AWS_ENDPOINT_URL"]) return CALLER;
  const sts = await import("@aws-sdk/client-sts");
  return (await new sts.STSClient({}).send(new sts.GetCallerIdentityCommand({}))).Arn;
}

const ANSWERS: Readonly<Record<string, (args: Properties) => Properties | Promise<Properties>>> = {
  "aws:index/getPartition:getPartition": () => ({ partition: "aws", dnsSuffix: "amazonaws.com", id: "aws" }),
  "aws:index/getAvailabilityZones:getAvailabilityZones": () => ({
    names: ["eu-central-1a", "eu-central-1b", "eu-central-1c"],
    id: "eu-central-1",
  }),
  "aws:index/getCallerIdentity:getCallerIdentity": async () => ({
    accountId: "123456789012",
    arn: await callerArn(),
    id: "123456789012",
  }),
  "aws:ec2/getInstanceTypeOfferings:getInstanceTypeOfferings": ({ filters }) => ({
    instanceTypes: (filters as { values: string[] }[]).flatMap(({ values }) => values).filter(offers),
    id: "eu-central-1",
  }),
  "aws:ec2/getInstanceType:getInstanceType": ({ instanceType }) => {
    const size = SIZES[String(instanceType)];
    if (!size) throw new Error(`InvalidInstanceType: ${String(instanceType)}`);
    return { ...size, instanceType, gpuses: [], id: instanceType };
  },
  // The current size, which may have been scaled outside of the stack.
  "aws:eks/getNodeGroup:getNodeGroup": ({ clusterName, nodeGroupName }) => {
    const group = things().find(({ outputs }) => outputs["nodeGroupName"] === nodeGroupName);
    if (!group) throw new Error(`ResourceNotFoundException: no node group ${String(nodeGroupName)}`);
    return { clusterName, nodeGroupName, scalingConfigs: [group.outputs["scalingConfig"]], id: group.id };
  },
  // Created by the stack, or existing before.
  "aws:eks/getCluster:getCluster": ({ name }) => {
    const made = things().find(({ token, id }) => token === "aws:eks/cluster:Cluster" && id === name);
    if (!made && name !== "there")
      throw new Error(`ResourceNotFoundException: No cluster found for name: ${String(name)}.`);
    const { arn, identities } = made?.outputs ?? {};
    return {
      name,
      id: name,
      arn: arn ?? `arn:aws:eks:eu-central-1:123456789012:cluster/${String(name)}`,
      identities: identities ?? [{ oidcs: [{ issuer: "https://oidc.eks.eu-central-1.amazonaws.com/id/0A" }] }],
      vpcConfig: { vpcId: "vpc-0123456789abcdef0" },
    };
  },
  "aws:ec2/getSubnet:getSubnet": ({ id }) => {
    const subnet = existingSubnets()[String(id)] ?? find("aws:ec2/subnet:Subnet", String(id))?.inputs;
    if (!subnet) throw new Error("no matching EC2 Subnet found");
    return { vpcId: "vpc-0a", availableIpAddressCount: 4000, outpostArn: "", availabilityZoneId: "", ...subnet, id };
  },
  // Role names are unique per account, in all regions.
  "aws:iam/getRole:getRole": ({ name }) => {
    const of = LINKED[String(name)];
    if (of !== undefined && (of !== "spot.amazonaws.com" || process.env["STACKYARD_AWS_DOUBLE_SPOT"] !== "new"))
      return { name, id: name, arn: `arn:aws:iam::123456789012:role/aws-service-role/${of}/${String(name)}` };
    const role = things().find(({ token, inputs }) => token === "aws:iam/role:Role" && inputs["name"] === name);
    if (!role) throw new Error(`reading IAM Role (${String(name)}): couldn't find resource`);
    const { arn } = role.outputs;
    return { name, arn, id: name, createDate: "2026-01-01T00:00:00Z", tags: role.inputs["tags"] ?? {} };
  },
  "aws:iam/getOpenIdConnectProvider:getOpenIdConnectProvider": ({ url }) => {
    const host = String(url).replace("https://", "");
    if (!/^oidc\.eks\./.test(host)) throw new Error("NoSuchEntity: no OIDC provider has this URL");
    return { url, id: host, arn: `arn:aws:iam::123456789012:oidc-provider/${host}` };
  },
  "aws:eks/getAddonVersion:getAddonVersion": ({ addonName, mostRecent }) => ({
    // AWS changes its default version over time.
    version: mostRecent ? "v9.9.9-eksbuild.1" : (process.env["STACKYARD_AWS_DOUBLE_ADDON"] ?? "v1.0.0-eksbuild.1"),
    id: addonName,
  }),
  "aws:ebs/getDefaultKmsKey:getDefaultKmsKey": () => ({
    keyArn: "arn:aws:kms:eu-central-1:123456789012:alias/aws/ebs",
    id: "eu-central-1",
  }),
  "aws:kms/getKey:getKey": ({ keyId }) => ({
    ...{ keyId, arn: keyId, id: keyId, keyManager: "CUSTOMER" },
    ...{ keyState: "Enabled", keyUsage: "ENCRYPT_DECRYPT", keySpec: "SYMMETRIC_DEFAULT" },
  }),
  "aws:efs/getFileSystem:getFileSystem": ({ fileSystemId }) => ({
    fileSystemId,
    availabilityZoneName: "",
    id: fileSystemId,
  }),
  "aws:amp/getWorkspace:getWorkspace": ({ workspaceId }) => ({ workspaceId, status: "ACTIVE", id: workspaceId }),
  "aws:s3/getBucket:getBucket": ({ bucket }) => ({ bucket, bucketRegion: "eu-central-1", id: bucket }),
  "aws:eks/getClusterVersions:getClusterVersions": ({ clusterVersionsOnlies }) => ({
    clusterVersions: (clusterVersionsOnlies as string[]).map((clusterVersion) => ({
      clusterVersion,
      versionStatus: Number(clusterVersion.slice(2)) < 33 ? "EXTENDED_SUPPORT" : "STANDARD_SUPPORT",
      endOfStandardSupportDate: "2026-03-23T00:00:00Z",
      endOfExtendedSupportDate: "2027-03-23T00:00:00Z",
    })),
    id: "eu-central-1",
  }),
  "aws:ssm/getParameter:getParameter": ({ name }) => {
    const [, minor] =
      /^\/aws\/service\/eks\/optimized-ami\/(1\.\d\d)\/amazon-linux-2023\/(?:x86_64|arm64)\/(?:standard|nvidia)\/recommended\/release_version$/.exec(
        String(name),
      ) ?? [];
    if (minor === undefined) throw new Error(`ParameterNotFound: ${String(name)}`);
    const value = `${minor}.3-${process.env["STACKYARD_AWS_DOUBLE_IMAGE"] ?? "20261101"}`;
    return { name, type: "String", value, insecureValue: value, id: name };
  },
};

const provider: Provider = { version: "7.48.0", handlers, schema: () => Promise.resolve("{}") };
const server = new Server({ "grpc.max_receive_message_length": -1 });
server.addService(ResourceProviderService, {
  ...service(provider, new Sessions(), ""),
  checkConfig: (call: { request: rpc.CheckRequest }, callback: (error: null, answer: rpc.CheckResponse) => void) => {
    callback(null, new rpc.CheckResponse().setInputs(encode(decode(call.request.getNews()))));
  },
  invoke: (
    call: { request: rpc.InvokeRequest },
    callback: (error: Error | null, answer?: rpc.InvokeResponse) => void,
  ) => {
    const answer = ANSWERS[call.request.getTok()];
    if (!answer) return callback(new Error(`the double of aws has no function ${call.request.getTok()}`));
    const args = decode(call.request.getArgs());
    Promise.resolve()
      .then(() => answer(args))
      .then((found) => new rpc.InvokeResponse().setReturn(encode(found)))
      .then(
        (response) => callback(null, response),
        (error: Error) => callback(error),
      );
  },
});
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(`${port}\n`);
});
process.stdin.on("end", () => process.exit(0)).resume();
