/** Rejections of Gardener's API server beyond the fields of one object: admission policies in CEL. */

import type { KubeObject } from "../../../../kubernetes/objects/objects";
import { GROUP, VERSION } from "../kinds/definitions";
import { FORCIBLE } from "./faults";

const CONFIRMATION = "confirmation.gardener.cloud/deletion";
const FORCE = "confirmation.gardener.cloud/force-deletion";
/** Names of infrastructure contain both and have a limit. */
const LENGTH = 21;

interface Rule {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
}

const annotated = (object: string, annotation: string): string =>
  `has(${object}.metadata.annotations) && '${annotation}' in ${object}.metadata.annotations && ${object}.metadata.annotations['${annotation}'] == 'true'`;

function policy(
  name: string,
  operations: readonly string[],
  resources: readonly string[],
  ...validations: readonly Rule[]
): KubeObject[] {
  const full = `gardener-${name}`;
  return [
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: { name: full },
      spec: {
        failurePolicy: "Fail",
        matchConstraints: {
          resourceRules: [{ apiGroups: [GROUP], apiVersions: [VERSION], operations, resources }],
        },
        validations: validations.map((rule) => ({ ...rule, reason: name === "deletion" ? "Forbidden" : "Invalid" })),
      },
    },
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name: full },
      spec: { policyName: full, validationActions: ["Deny"] },
    },
  ];
}

const project = "request.namespace.replace('garden-', '')";
const lengths = `size(${project}) + size(object.metadata.name)`;
const codes =
  "object.status.lastErrors.exists(error, has(error.codes) && error.codes.exists(code, code in " +
  JSON.stringify(FORCIBLE).replaceAll('"', "'") +
  "))";

export function admission(): KubeObject[] {
  return [
    ...policy("deletion", ["DELETE"], ["shoots", "projects"], {
      expression: annotated("oldObject", CONFIRMATION),
      message: `must have a "${CONFIRMATION}" annotation to delete`,
    }),
    ...policy("names", ["CREATE"], ["shoots"], {
      expression: `${lengths} <= ${LENGTH}`,
      messageExpression: `'the length of the shoot name and the project name must not exceed ${LENGTH} characters (project: ' + ${project} + '; shoot: ' + object.metadata.name + ')'`,
    }),
    ...policy("hyphens", ["CREATE"], ["shoots"], {
      expression: "!object.metadata.name.contains('--')",
      message: "metadata.name: name may not contain two consecutive hyphens",
    }),
    ...policy("force", ["UPDATE"], ["shoots"], {
      expression: `!(${annotated("object", FORCE)}) || (${annotated("oldObject", FORCE)}) || (has(object.metadata.deletionTimestamp) && has(object.status) && has(object.status.lastErrors) && ${codes})`,
      message: "force-deletion annotation cannot be set when Shoot has no deletionTimestamp or no error that allows it",
    }),
  ];
}
