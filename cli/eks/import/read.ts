/** Reads a cluster on EKS; changes nothing. */

import type * as ec2 from "@aws-sdk/client-ec2";
import type * as eks from "@aws-sdk/client-eks";
import { Failure, messageOf } from "../../../foundation/errors";
import type { AwsQuestions } from "../awsQuestions";
import { roleNameOf } from "./names";
import type { SeenEks, SeenTemplate } from "./seen";

interface Clients {
  readonly eks: eks.EKSClient;
  readonly ec2: ec2.EC2Client;
  readonly sdk: { readonly eks: typeof eks; readonly ec2: typeof ec2 };
}

export async function readEks(
  name: string,
  region: string,
  questions: AwsQuestions,
  progress: (what: string) => void,
): Promise<SeenEks> {
  const sdk = { eks: await import("@aws-sdk/client-eks"), ec2: await import("@aws-sdk/client-ec2") };
  const clients = { sdk, eks: new sdk.eks.EKSClient({ region }), ec2: new sdk.ec2.EC2Client({ region }) };
  try {
    progress("the cluster");
    const { cluster } = await clients.eks.send(new sdk.eks.DescribeClusterCommand({ name }));
    if (!cluster) throw new Failure(`found no cluster ${name} in ${region}`);
    progress("node groups and add-ons");
    const nodeGroups = await nodeGroupsOf(clients, name);
    const addons = await addonsOf(clients, name);
    progress("access and identity");
    const others = await othersOf(clients, cluster);
    const caller = await questions.caller();
    const oidcProvider = await questions.oidcProvider(cluster.identity?.oidc?.issuer ?? "");
    const attached = await attachedOf([cluster.roleArn, ...nodeGroups.map(({ nodeRole }) => nodeRole)], questions);
    const logs = await questions.logGroup(`/aws/eks/${name}/cluster`);
    progress("the network");
    const network = await networkOf(clients, cluster);
    const templates = await templatesOf(clients, nodeGroups);
    const iam = { caller, oidcProvider, attached };
    return { region, cluster, nodeGroups, addons, ...others, ...iam, logs, ...network, templates };
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`AWS does not show all of ${name} in ${region}: ${messageOf(error)}`);
  } finally {
    clients.eks.destroy();
    clients.ec2.destroy();
  }
}

async function gather<Page, One>(pages: AsyncIterable<Page>, of: (page: Page) => readonly One[] | undefined) {
  const found: One[] = [];
  for await (const page of pages) found.push(...(of(page) ?? []));
  return found;
}

async function nodeGroupsOf({ sdk, eks: client }: Clients, clusterName: string): Promise<eks.Nodegroup[]> {
  const names = await gather(sdk.eks.paginateListNodegroups({ client }, { clusterName }), (page) => page.nodegroups);
  const all = await Promise.all(
    names.map((nodegroupName) => client.send(new sdk.eks.DescribeNodegroupCommand({ clusterName, nodegroupName }))),
  );
  return all.flatMap(({ nodegroup }) => nodegroup ?? []);
}

async function addonsOf({ sdk, eks: client }: Clients, clusterName: string): Promise<eks.Addon[]> {
  const names = await gather(sdk.eks.paginateListAddons({ client }, { clusterName }), (page) => page.addons);
  const all = await Promise.all(
    names.map((addonName) => client.send(new sdk.eks.DescribeAddonCommand({ clusterName, addonName }))),
  );
  return all.flatMap(({ addon }) => addon ?? []);
}

/** EKS has access entries only in the modes with its API. */
async function othersOf({ sdk, eks: client }: Clients, { name: clusterName, accessConfig }: eks.Cluster) {
  const of = { clusterName };
  const hasEntries = accessConfig?.authenticationMode !== "CONFIG_MAP";
  const principals = hasEntries
    ? await gather(sdk.eks.paginateListAccessEntries({ client }, of), (page) => page.accessEntries)
    : [];
  const entries = await Promise.all(
    principals.map(async (principalArn) => {
      const { accessEntry } = await client.send(new sdk.eks.DescribeAccessEntryCommand({ ...of, principalArn }));
      const pages = sdk.eks.paginateListAssociatedAccessPolicies({ client }, { ...of, principalArn });
      return { entry: accessEntry ?? {}, policies: await gather(pages, (page) => page.associatedAccessPolicies) };
    }),
  );
  const [fargateProfiles, associations, providers] = await Promise.all([
    gather(sdk.eks.paginateListFargateProfiles({ client }, of), (page) => page.fargateProfileNames),
    gather(sdk.eks.paginateListPodIdentityAssociations({ client }, of), (page) => page.associations),
    gather(sdk.eks.paginateListIdentityProviderConfigs({ client }, of), (page) => page.identityProviderConfigs),
  ]);
  return {
    entries,
    fargateProfiles,
    podIdentities: associations.map(({ namespace, serviceAccount }) => `${namespace}/${serviceAccount}`),
    identityProviders: providers.map(({ name = "" }) => name),
  };
}

async function attachedOf(arns: readonly (string | undefined)[], questions: AwsQuestions) {
  const names = [...new Set(arns.map(roleNameOf))];
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await questions.attached(name)] as const)),
  );
}

async function networkOf({ sdk, ec2: client }: Clients, { resourcesVpcConfig: vpc }: eks.Cluster) {
  const Filters = [{ Name: "vpc-id", Values: [vpc?.vpcId ?? ""] }];
  const asked = { SubnetIds: vpc?.subnetIds ?? [] };
  const [subnets, routeTables] = await Promise.all([
    gather(sdk.ec2.paginateDescribeSubnets({ client }, asked), (page) => page.Subnets),
    gather(sdk.ec2.paginateDescribeRouteTables({ client }, { Filters }), (page) => page.RouteTables),
  ]);
  return { subnets, routeTables };
}

/** The template that EKS makes itself is not among those of a node group. */
async function templatesOf({ sdk, ec2: client }: Clients, groups: readonly eks.Nodegroup[]) {
  const all = groups.map(async ({ nodegroupName = "", launchTemplate: used }): Promise<[string, SeenTemplate][]> => {
    if (used?.id === undefined) return [];
    const asked = { LaunchTemplateId: used.id, Versions: [used.version ?? "$Default", "$Latest"] };
    const { LaunchTemplateVersions: found = [] } = await client.send(
      new sdk.ec2.DescribeLaunchTemplateVersionsCommand(asked),
    );
    const latest = Math.max(...found.map(({ VersionNumber = 0 }) => VersionNumber));
    const own = found.find(({ VersionNumber }) => String(VersionNumber) === used.version) ?? found[0];
    return own ? [[nodegroupName, { ...own, latest }]] : [];
  });
  return Object.fromEntries((await Promise.all(all)).flat());
}
