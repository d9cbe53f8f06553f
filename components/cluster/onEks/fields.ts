import { checkedText, matching } from "../../../foundation/schema/fields";
import { didYouMean } from "../../../foundation/text/nearest";
import { KNOWN_MINORS } from "./minors";
import { REGIONS } from "./regions";

/** Schemas of values that several parts of the EKS config share. */

/** No alias: a policy that names one grants nothing. */
export const kmsKey = matching(
  /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/,
  "the ARN of a key itself, such as arn:aws:kms:eu-central-1:123456789012:key/1234abcd-…",
);

/** The id of a resource of EC2. `of`: `sg`; `what`: `a security group`. */
export const ec2Id = (of: string, what: string) =>
  matching(new RegExp(`^${of}-([0-9a-f]{8}|[0-9a-f]{17})$`), `the id of ${what} such as ${of}-0123456789abcdef0`);

export const minor = () => matching(/^1\.\d{2}$/, 'a Kubernetes minor in quotes, such as "1.35"');

const KNOWN = KNOWN_MINORS.map((version) => Number(version.slice(2)));
/** Number of minor versions beyond the known ones to accept: EKS releases three a year. */
const AHEAD = 3;
const [OLDEST, NEWEST] = [Math.min(...KNOWN), Math.max(...KNOWN) + AHEAD];

/** Kubernetes minor version of a created cluster. */
export const clusterMinor = () =>
  checkedText(
    `a Kubernetes minor that EKS has, in quotes, "1.${OLDEST}" to "1.${NEWEST}"`,
    (text) => {
      const [, minor = ""] = /^1\.(\d{2})$/.exec(text) ?? [];
      return minor !== "" && Number(minor) >= OLDEST && Number(minor) <= NEWEST ? undefined : "";
    },
    /^1\.\d{2}$/,
  );

export const region = () =>
  checkedText(
    "a region of AWS such as eu-central-1",
    (text) => (REGIONS.includes(text) ? undefined : (didYouMean(text, REGIONS) ?? `there are ${REGIONS.join(", ")}`)),
    /^[a-z]{2,4}(-[a-z]+)+-\d$/,
  );
