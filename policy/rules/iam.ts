import { at, isRecord, listOf, recordsOf, told, whole, type Asked, type Finding, type Rule } from "../rule";

const ADMINISTRATOR = /^arn:aws[a-z-]*:iam::aws:policy\/(AdministratorAccess|PowerUserAccess|IAMFullAccess)$/;
/** Actions that change nothing, most of which AWS offers no resources for. */
const LOOKS = /^[a-z0-9-]+:(Describe|Get|List|View)[A-Za-z]*$/;

const texts = (value: unknown): string[] => (Array.isArray(value) ? listOf(value) : [value]).map(String);

/** The statements of a document, given as a text or as an object. */
function statementsOf(document: unknown): readonly Readonly<Record<string, unknown>>[] {
  const parsed: unknown = typeof document === "string" ? JSON.parse(document) : document;
  const statements = at(parsed, "Statement");
  return isRecord(statements) ? [statements] : recordsOf(statements);
}

function wildcards(document: unknown): Finding[] {
  return statementsOf(document).flatMap((statement, index): Finding[] => {
    if (statement["Effect"] !== "Allow") return [];
    const part = `statement ${told(statement["Sid"], String(index))}`;
    const actions = texts(statement["Action"] ?? []);
    const resources = texts(statement["Resource"] ?? []);
    const wide = actions.find((action) => action === "*" || /^[a-z0-9-]+:\*$/.test(action));
    if (statement["NotAction"] !== undefined || wide !== undefined) {
      return [{ part, message: `found the action ${wide ?? "NotAction"}; expected actions by name` }];
    }
    const isHarmless = actions.every((action) => LOOKS.test(action));
    if ((statement["NotResource"] === undefined && !resources.includes("*")) || isHarmless) return [];
    return [{ part, message: `found the resource * for ${actions.join(", ")}; expected resources by ARN` }];
  });
}

/** Who may take a role: never everybody. */
function trust(document: unknown): Finding[] {
  return statementsOf(document).flatMap((statement, index) => {
    const principals = [
      statement["Principal"],
      ...Object.values(isRecord(statement["Principal"]) ? statement["Principal"] : {}),
    ];
    if (statement["Effect"] !== "Allow" || !principals.flatMap(texts).includes("*")) return [];
    const part = `statement ${told(statement["Sid"], String(index))}`;
    return [{ part, message: "found the principal *; expected the one who may take the role" }];
  });
}

function check({ type, props }: Asked): Finding[] {
  switch (type) {
    case "aws:iam/policy:Policy":
    case "aws:iam/rolePolicy:RolePolicy":
    case "aws:iam/userPolicy:UserPolicy":
    case "aws:iam/groupPolicy:GroupPolicy":
      return wildcards(props["policy"]);
    case "aws:iam/role:Role":
      return [
        ...trust(props["assumeRolePolicy"]),
        ...recordsOf(props["inlinePolicies"]).flatMap(({ policy }) => wildcards(policy)),
      ];
    case "aws:iam/rolePolicyAttachment:RolePolicyAttachment":
    case "aws:iam/userPolicyAttachment:UserPolicyAttachment":
    case "aws:iam/groupPolicyAttachment:GroupPolicyAttachment": {
      const arn = told(props["policyArn"], "?");
      return ADMINISTRATOR.test(arn) ? whole(`found ${arn}; expected a policy with what is needed`) : [];
    }
    default:
      return [];
  }
}

export const iam: Rule = {
  name: "no-wildcard-iam",
  description: "IAM allows actions and resources by name; only what merely looks may look at all.",
  check,
};
