import { isIP } from "node:net";
import * as z from "zod";
import { parseCidr } from "../../../../foundation/net/cidr";
import { checkedText, count, matching, listOf } from "../../../../foundation/schema/fields";

/** Schemas of values in a cluster. */

const RANGE = "an IPv4 range such as 10.250.0.0/16, beginning at a multiple of its size";

export const range = () => checkedText(RANGE, (text) => (parseCidr(text) ? undefined : ""), /^[0-9.]+\/[0-9]+$/);

const CALLERS = "an IPv4 or IPv6 range such as 203.0.113.0/24 or 2001:db8::/32";

/** A range of callers, of either family. */
export const callers = () => checkedText(CALLERS, callersFault, /^[0-9a-fA-F.:]+\/[0-9]{1,3}$/);

function callersFault(text: string): string | undefined {
  const [address = "", bits = "", ...more] = text.split("/");
  const most = { 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most ? undefined : "";
}

/** A name that a cloud or Gardener defines: of a region, a zone, a machine type. */
export const named = (what: string) => matching(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,127}$/, what);

/** Name of a Secret, a ConfigMap or a Seed. */
export const objectName = (what: string) => matching(/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/, what);

/** Value of a label of Kubernetes. */
export const labelValue = () =>
  matching(
    /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/,
    "1 to 63 of A-Z a-z 0-9 . _ -, beginning and ending with a letter or digit",
  );

export const upTo = (most: number) => count(`a whole number from 1 to ${most}`, most);

const NODES = "a whole number from 0 to 10000";

/** A number of nodes, including zero. */
export const nodes = () => z.int({ error: NODES }).min(0, { error: NODES }).max(10_000, { error: NODES });

export const zoneNames = () => listOf(named("the name of a zone"), "zones").min(1, { error: "at least one zone" });
