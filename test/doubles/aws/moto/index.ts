import type { Maker } from "./maker";

/** The types that moto supports; an SDK is loaded with the first resource that needs it. */
const IN_MOTO: Readonly<Record<string, () => Promise<Maker>>> = {
  "aws:autoscaling/tag:Tag": async () => (await import("./autoscaling.js")).tag,
  "aws:cloudwatch/logGroup:LogGroup": async () => (await import("./logs.js")).logGroup,
  "aws:ec2/eip:Eip": async () => (await import("./network.js")).eip,
  "aws:ec2/internetGateway:InternetGateway": async () => (await import("./network.js")).internetGateway,
  "aws:ec2/launchTemplate:LaunchTemplate": async () => (await import("./launchTemplate.js")).launchTemplate,
  "aws:ec2/natGateway:NatGateway": async () => (await import("./network.js")).natGateway,
  "aws:ec2/routeTable:RouteTable": async () => (await import("./network.js")).routeTable,
  "aws:ec2/routeTableAssociation:RouteTableAssociation": async () =>
    (await import("./network.js")).routeTableAssociation,
  "aws:ec2/subnet:Subnet": async () => (await import("./network.js")).subnet,
  "aws:ec2/vpc:Vpc": async () => (await import("./network.js")).vpc,
  "aws:ec2/vpcEndpoint:VpcEndpoint": async () => (await import("./network.js")).vpcEndpoint,
  "aws:eks/cluster:Cluster": async () => (await import("./eks.js")).cluster,
  "aws:eks/nodeGroup:NodeGroup": async () => (await import("./eks.js")).nodeGroup,
  "aws:iam/openIdConnectProvider:OpenIdConnectProvider": async () => (await import("./iam.js")).openIdConnectProvider,
  "aws:iam/role:Role": async () => (await import("./iam.js")).role,
  "aws:iam/rolePolicy:RolePolicy": async () => (await import("./iam.js")).rolePolicy,
  "aws:iam/rolePolicyAttachment:RolePolicyAttachment": async () => (await import("./iam.js")).rolePolicyAttachment,
  "aws:kms/alias:Alias": async () => (await import("./kms.js")).alias,
  "aws:kms/key:Key": async () => (await import("./kms.js")).key,
};

/** The types that moto does not support; only the double handles them. */
const NOT_IN_MOTO: readonly string[] = [
  "aws:eks/accessEntry:AccessEntry",
  "aws:eks/accessPolicyAssociation:AccessPolicyAssociation",
  "aws:eks/addon:Addon",
  "aws:eks/podIdentityAssociation:PodIdentityAssociation",
];

/** Returns what creates resources of a type in moto; undefined if moto is not running or does not support the type. */
export async function inMoto(token: string): Promise<Maker | undefined> {
  if (!process.env["STACKYARD_AWS_MOTO"] || NOT_IN_MOTO.includes(token)) return undefined;
  const load = Object.hasOwn(IN_MOTO, token) ? IN_MOTO[token] : undefined;
  if (!load) throw new Error(`nobody said whether moto knows ${token}; say it in test/doubles/aws/moto/index.ts`);
  return strict(token, await load());
}

/** Converts moto's errors to AWS' names, and rejects inputs that would not be sent to moto. */
function strict(token: string, maker: Maker): Maker {
  const { update } = maker;
  return {
    takes: maker.takes,
    create: (inputs) => inTurn(token, () => maker.create(known(inputs))),
    update: (id, inputs, old) => {
      if (!update) throw new Error(`the double does not change ${token} in moto`);
      return inTurn(token, () => update(id, known(inputs), known(old)));
    },
    delete: (id, inputs) => inTurn(token, () => maker.delete(id, known(inputs))),
  };

  function known(inputs: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const given = Object.entries(inputs).filter(([key, value]) => !key.startsWith("__") && value !== null);
    const silent = given.map(([key]) => key).filter((key) => !maker.takes.includes(key));
    if (silent.length > 0) throw new Error(`the double does not pass moto the ${silent.join(", ")} of ${token}`);
    return Object.fromEntries(given);
  }
}

let last: Promise<unknown> = Promise.resolve();

/** Sequentially, because moto's threads don't synchronize. */
async function inTurn<T>(token: string, work: () => Promise<T>): Promise<T> {
  const mine = last.then(work);
  last = mine.catch(() => undefined);
  try {
    return await mine;
  } catch (error) {
    const { name, message } = error as Error;
    throw new Error(`moto refuses ${token}: ${name}: ${message}`, { cause: error });
  }
}
