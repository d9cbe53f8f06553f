import * as iam from "@aws-sdk/client-iam";
import type * as args from "@pulumi/aws/iam";
import { connection, maker, suffix, required } from "./maker";

const client = new iam.IAMClient(connection());

/** The provider also accepts a document as an object; our programs serialize it themselves. */
const documentOf = (document: unknown): string => (typeof document === "string" ? document : JSON.stringify(document));

/** moto validates the document only when it is changed, not when a role is created. */
const setTrust = (RoleName: string, document: unknown) =>
  client.send(new iam.UpdateAssumeRolePolicyCommand({ RoleName, PolicyDocument: documentOf(document) }));

export const role = maker<args.RoleArgs>({
  takes: ["assumeRolePolicy", "description", "maxSessionDuration", "name", "path", "permissionsBoundary"],
  async create({ assumeRolePolicy, description, maxSessionDuration, name, path, permissionsBoundary }) {
    const { Role } = await client.send(
      new iam.CreateRoleCommand({
        RoleName: name ?? `role-${suffix()}`,
        AssumeRolePolicyDocument: documentOf(assumeRolePolicy),
        Description: description,
        MaxSessionDuration: maxSessionDuration,
        Path: path,
        PermissionsBoundary: permissionsBoundary,
      }),
    );
    const id = required(Role?.RoleName);
    try {
      await setTrust(id, assumeRolePolicy);
    } catch (error) {
      await client.send(new iam.DeleteRoleCommand({ RoleName: id }));
      throw error;
    }
    return { id, outputs: { arn: Role?.Arn, name: id, uniqueId: Role?.RoleId } };
  },
  async update(RoleName, { assumeRolePolicy, description, maxSessionDuration }) {
    await setTrust(RoleName, assumeRolePolicy);
    const request = { RoleName, Description: description, MaxSessionDuration: maxSessionDuration };
    await client.send(new iam.UpdateRoleCommand(request));
  },
  delete: (RoleName) => client.send(new iam.DeleteRoleCommand({ RoleName })),
});

const nameIn = (id: string): string => id.slice(id.indexOf(":") + 1);
const put = (RoleName: string, PolicyName: string, policy: unknown) =>
  client.send(new iam.PutRolePolicyCommand({ RoleName, PolicyName, PolicyDocument: documentOf(policy) }));

export const rolePolicy = maker<args.RolePolicyArgs>({
  takes: ["name", "policy", "role"],
  async create({ name = `policy-${suffix()}`, policy, role }) {
    await put(role as string, name, policy);
    return { id: `${role as string}:${name}`, outputs: { name } };
  },
  async update(id, { policy, role }) {
    await put(role as string, nameIn(id), policy);
  },
  delete: (id, { role }) =>
    client.send(new iam.DeleteRolePolicyCommand({ RoleName: role as string, PolicyName: nameIn(id) })),
});

export const rolePolicyAttachment = maker<args.RolePolicyAttachmentArgs>({
  takes: ["policyArn", "role"],
  async create({ policyArn, role }) {
    await client.send(new iam.AttachRolePolicyCommand({ RoleName: role as string, PolicyArn: policyArn }));
    return { id: `${role as string}/${policyArn}` };
  },
  delete: (_id, { policyArn, role }) =>
    client.send(new iam.DetachRolePolicyCommand({ RoleName: role as string, PolicyArn: policyArn })),
});

export const openIdConnectProvider = maker<args.OpenIdConnectProviderArgs>({
  takes: ["clientIdLists", "url"],
  async create({ clientIdLists, url }) {
    const request = { Url: url, ClientIDList: clientIdLists };
    const { OpenIDConnectProviderArn: arn } = await client.send(new iam.CreateOpenIDConnectProviderCommand(request));
    return { id: required(arn), outputs: { arn } };
  },
  delete: (OpenIDConnectProviderArn) =>
    client.send(new iam.DeleteOpenIDConnectProviderCommand({ OpenIDConnectProviderArn })),
});
