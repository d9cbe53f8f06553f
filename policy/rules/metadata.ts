import { objectName, objectsOf } from "../objects";
import { at, textOr } from "../../foundation/json/parts";
import { wholeFinding, type Finding, type Rule } from "../rule";

/** Where a type has the options of its metadata. `optional`: AWS requires tokens by default. */
const TYPES: Readonly<Record<string, { readonly at: readonly string[]; readonly optional?: true }>> = {
  "aws:ec2/instance:Instance": { at: ["metadataOptions"] },
  "aws:ec2/spotInstanceRequest:SpotInstanceRequest": { at: ["metadataOptions"] },
  "aws:ec2/launchTemplate:LaunchTemplate": { at: ["metadataOptions"] },
  "aws:ec2/launchConfiguration:LaunchConfiguration": { at: ["metadataOptions"] },
  "aws:ec2/instanceMetadataDefaults:InstanceMetadataDefaults": { at: [], optional: true },
  "aws:imagebuilder/infrastructureConfiguration:InfrastructureConfiguration": {
    at: ["instanceMetadataOptions"],
    optional: true,
  },
};

/** IMDSv1 requires no token, so server-side request forgery exposes the credentials of the instance. */
export const metadata: Rule = {
  name: "imdsv2",
  description: "Instances require a session token for requests to their metadata (IMDSv2).",
  check(asked) {
    const where = Object.hasOwn(TYPES, asked.type) ? TYPES[asked.type] : undefined;
    if (where !== undefined) {
      const options = at(asked.props, ...where.at);
      const tokens = at(options, "httpTokens");
      if (at(options, "httpEndpoint") === "disabled" || isRequired(tokens, where.optional)) return [];
      return wholeFinding(fault([...where.at, "httpTokens"].join("."), tokens));
    }
    // Karpenter requires tokens by default.
    return objectsOf(asked).flatMap((object): Finding[] => {
      const options = at(object, "spec", "metadataOptions");
      const tokens = at(options, "httpTokens");
      if (object["kind"] !== "EC2NodeClass" || at(options, "httpEndpoint") === "disabled") return [];
      if (isRequired(tokens, true)) return [];
      return [{ part: objectName(object), message: fault("spec.metadataOptions.httpTokens", tokens) }];
    });
  },
};

const isRequired = (tokens: unknown, optional: true | undefined): boolean =>
  tokens === "required" || (optional === true && (tokens === undefined || tokens === "no-preference"));

const fault = (path: string, tokens: unknown): string =>
  `found ${path}: ${textOr(tokens, "not set")}; expected required`;
