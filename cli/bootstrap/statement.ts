/** A statement of a policy. Its resources may contain CloudFormation's `${…}`. */
export interface PolicyStatement {
  readonly Sid: string;
  readonly Effect: "Allow" | "Deny";
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

export const allow = (
  sid: string,
  actions: readonly string[],
  resources: readonly string[],
  condition?: PolicyStatement["Condition"],
): PolicyStatement => ({ Sid: sid, Effect: "Allow", Action: actions, Resource: resources, Condition: condition });

export const regionalArn = (service: string, resource: string): string =>
  `arn:\${AWS::Partition}:${service}:\${AWS::Region}:\${AWS::AccountId}:${resource}`;
export const iamArn = (resource: string): string => `arn:\${AWS::Partition}:iam::\${AWS::AccountId}:${resource}`;
export const of = (service: string, actions: readonly string[]): string[] =>
  actions.map((action) => `${service}:${action}`);

/** What EKS has of clusters whose names begin with `clusters`. */
export const eksArns = (clusters: string): string[] =>
  [
    `cluster/${clusters}*`,
    `nodegroup/${clusters}*/*/*`,
    `addon/${clusters}*/*/*`,
    `access-entry/${clusters}*/*/*/*/*`,
    `podidentityassociation/${clusters}*/*`,
  ].map((resource) => regionalArn("eks", resource));

/** AWS has no resource-level permissions for these actions, so they are restricted to the region. */
export const IN_REGION = { StringEquals: { "aws:RequestedRegion": "${AWS::Region}" } };
