import { matching } from "../../../foundation/schema/fields";

/** Schemas of what access entries of EKS have. */

export const principal = matching(
  /^arn:aws[a-z-]*:iam::\d{12}:(role|user)\/[\w+=,.@/-]+$/,
  "the ARN of a role or a user such as arn:aws:iam::123456789012:role/platform, since EKS lets in no groups, accounts or patterns",
);

export const groupName = () =>
  matching(
    /^(?!system:)[^\s"]{1,253}$/,
    "the name of a group in your RoleBindings; EKS takes none that begins with system:",
  );
