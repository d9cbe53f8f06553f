/** Whether ARNs name something. Source: the resource types of the AWS Service Authorization Reference. */

/** Services whose ARNs begin with a name instead of a type. */
const WITHOUT_TYPE = new Set(["codecommit", "codepipeline", "execute-api", "s3", "sns", "sqs"]);
/** Parts of ARNs that are no names, although they follow one. */
const SUBTYPES = /^(app|autoScalingGroupName|backup|export|gwy|import|index|log-stream|net|object|stream|version)$/;

/**
 * Whether a resource matches everything, or everything of its type: `*`, `arn:*`, `arn:aws:s3:::*`, `arn:aws:s3:::*\/*`,
 * `arn:aws:secretsmanager:*:*:secret:*`, `arn:aws:dynamodb:*:*:table/*\/index/*`. Account and region name nothing.
 */
export function isEverything(resource: string): boolean {
  if (!/[*?]/.test(resource)) return false;
  // A policy variable stands for one value.
  const [, , service = "", region = "", account = "", ...rest] = resource.replace(/\$\{[^}]*\}/g, "v").split(":");
  if (rest.length === 0) return true;
  const parts = rest
    .join("/")
    .split("/")
    .filter((part) => part !== "");
  // An access point of S3 has a type, and a region or an account.
  if (WITHOUT_TYPE.has(service) && !(service === "s3" && region + account !== "")) return !isName(parts[0]);
  return !parts.slice(1).some((part) => isName(part) && !SUBTYPES.test(part));
}

const isName = (part = ""): boolean => /[a-z0-9]/i.test(part);
