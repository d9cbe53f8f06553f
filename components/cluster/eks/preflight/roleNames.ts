import { getRole } from "@pulumi/aws/iam";
import type { Provider } from "@pulumi/aws/provider";
import * as pulumi from "@pulumi/pulumi";
import type { StateResource } from "../../../resources/ownState";
import type { EksConfig } from "../eksConfig";
import { controlPlaneRole } from "../onEks";

const ROLE = "aws:iam/role:Role";
/** How AWS and its provider say that there is none. */
const NOT_FOUND = /NoSuchEntity|couldn't find resource|empty result|not found/i;

/**
 * IAM is global: a cluster of the same name in another region has roles of the same names, which AWS refuses to create again in the middle
 * of an update. Asked for a cluster that has no roles yet; one that has keeps them.
 */
export async function checkRoleNames(
  config: Pick<EksConfig, "name" | "region" | "roles">,
  resources: readonly StateResource[],
  provider: Provider,
): Promise<void> {
  const name = controlPlaneRole(config);
  if (resources.some(({ type, outputs }) => type === ROLE && outputs["name"] === name)) return;
  let found: { readonly arn: string; readonly createDate: string; readonly tags: Readonly<Record<string, string>> };
  try {
    found = await getRole({ name }, { provider });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Who may not ask learns it from the update.
    if (!NOT_FOUND.test(message)) await pulumi.log.debug(`Whether the role ${name} exists is not known: ${message}`);
    return;
  }
  const { arn, createDate, tags } = found;
  const said = Object.entries(tags).map(([key, value]) => `${key}=${value}`);
  const prefix = `${config.name}-${config.region}`;
  throw new pulumi.RunError(
    [
      `stackyard:cluster.roles.prefix: found ${JSON.stringify(config.roles.prefix ?? config.name)}, and the account has the role ${arn} already, ` +
        `created on ${createDate}${said.length === 0 ? "" : ` with the tags ${said.join(", ")}`}, which this stack does not have; ` +
        "expected a prefix of its own, because names of roles are unique in an account, not in a region:",
      `  pulumi config set --stack ${pulumi.getStack()} --path stackyard:cluster.roles.prefix ${prefix}`,
      `If nothing uses the role any more, delete it instead. Nothing was changed.`,
    ].join("\n"),
  );
}
