/** What AWS answers when it is asked: three zones, every instance type, and a caller who is `who`. */
export function answerOf(
  { token, inputs }: { token: string; inputs: Record<string, unknown> },
  who = "ci",
): Record<string, unknown> {
  if (token.includes("getAvailabilityZones")) return { names: ["eu-central-1a", "eu-central-1b", "eu-central-1c"] };
  if (token.includes("getAddonVersion")) return { version: `v1-${String(inputs["addonName"])}` };
  if (token.includes("getCallerIdentity")) return { arn: `arn:aws:sts::123456789012:assumed-role/${who}/session` };
  if (token.includes("getInstanceTypeOfferings"))
    return { instanceTypes: (inputs["filters"] as { values: string[] }[]).flatMap(({ values }) => values) };
  return { partition: "aws" };
}
