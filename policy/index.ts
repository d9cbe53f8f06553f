import { PolicyPack, type ResourceValidationPolicy } from "@pulumi/policy";
import { allowanceOf, isExempt } from "./allow";
import type { Asked, Rule } from "./rule";
import { RULES } from "./rules/rules";

const CONFIG = {
  properties: {
    allow: {
      type: "object" as const,
      description: "Resources, or parts of them, that are exempt from the rule: the reason by name.",
      additionalProperties: { type: "string" as const, minLength: 1 },
    },
  },
};

function asPolicy({ name, description, check }: Rule): ResourceValidationPolicy {
  return {
    name,
    description,
    enforcementLevel: "mandatory",
    configSchema: CONFIG,
    validateResource(args, report) {
      const [, , stack = ""] = args.urn.split(":");
      const { type, props, opts } = args;
      const asked: Asked = { type, name: args.name, stack, props, isProtected: opts.protect };
      const allow = allowanceOf(args.getConfig());
      for (const finding of check(asked)) {
        if (!isExempt(allow, asked.name, finding.part)) {
          report(finding.part === "" ? finding.message : `${finding.part}: ${finding.message}`);
        }
      }
    },
  };
}

new PolicyPack("stackyard", { policies: RULES.map(asPolicy) });
