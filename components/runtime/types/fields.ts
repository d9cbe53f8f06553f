import { checkedText, matching } from "../../../foundation/schema/fields";
import { checkAudience } from "../../../foundation/schema/urls";

/** Fields that several types of provisioners have. */

export const absolute = () => matching(/^\/\S*$/, "an absolute path such as /mnt/data");
export const audience = () =>
  checkedText("an http or https URL without user, query and fragment", checkAudience, /^https?:\/\//);
