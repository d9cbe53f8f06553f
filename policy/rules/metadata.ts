import { at, textOr } from "../../foundation/json/parts";
import { wholeFinding, type Rule } from "../rule";

const TYPES = new Set([
  "aws:ec2/instance:Instance",
  "aws:ec2/launchTemplate:LaunchTemplate",
  "aws:ec2/launchConfiguration:LaunchConfiguration",
]);

/** IMDSv1 requires no token, so server-side request forgery exposes the credentials of the instance. */
export const metadata: Rule = {
  name: "imdsv2",
  description: "Instances require a session token for requests to their metadata (IMDSv2).",
  check({ type, props }) {
    if (!TYPES.has(type) || at(props, "metadataOptions", "httpEndpoint") === "disabled") return [];
    const tokens = at(props, "metadataOptions", "httpTokens");
    if (tokens === "required") return [];
    return wholeFinding(`found metadataOptions.httpTokens: ${textOr(tokens, "not set")}; expected required`);
  },
};
