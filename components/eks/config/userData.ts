import { mismatch, type Path } from "../../../foundation/schema/faults";
import { utf8Text, tryRead } from "../../../foundation/schema/files";
import type { Resolver } from "../../../foundation/schema/resolver";
import { isNodeGroup } from "../../cluster/nodePool/pools";
import { isOwnDocument, LONGEST_USER_DATA, userDataOf } from "../../cluster/nodePool/userData";
import type { NodePoolInput } from "./nodePoolSchema";
import type { EksInput } from "./schema";

const EXPECTED = {
  al2023: "a script that begins with #!, a NodeConfig of node.eks.aws, or a document of MIME parts",
  bottlerocket: "settings of Bottlerocket, which begin with [settings",
} as const;

/** Reads the user data files, by pool. Adds faults to the resolver. */
export function readUserData({ files, faults }: Resolver, { nodePools, nodes }: EksInput): Record<string, string> {
  const texts = Object.entries(nodePools).flatMap(([name, { userData: file, os, ...pool }]): [string, string][] => {
    if (file === undefined) return [];
    const path: Path = ["cluster", "nodePools", name, "userData"];
    const read = tryRead(files, file);
    const text = "bytes" in read ? utf8Text(read.bytes) : undefined;
    const data = text === undefined ? undefined : userDataOf(os, text);
    if (data === undefined) {
      const trouble = "trouble" in read ? read.trouble : "something else";
      faults.push(mismatch(path, `${JSON.stringify(file)}, ${trouble}`, EXPECTED[os]));
      return [];
    }
    if (Buffer.byteLength(data) > LONGEST_USER_DATA) {
      faults.push(mismatch(path, `${Buffer.byteLength(data)} bytes`, `at most ${LONGEST_USER_DATA}, which EC2 takes`));
    }
    // Karpenter joins them by itself.
    const clash = isNodeGroup(nodes, name) ? clashOf(data, { os, ...pool }) : undefined;
    if (clash !== undefined) faults.push(mismatch(path, JSON.stringify(file), clash));
    return [[name, data]];
  });
  return Object.fromEntries(texts);
}

/** The expected value for user data that can't be joined with what the pool needs; undefined for others. */
function clashOf(
  data: string,
  { os, amiId, localStorage }: Pick<NodePoolInput, "os" | "amiId" | "localStorage">,
): string | undefined {
  if (os === "al2023")
    return (amiId ?? localStorage) !== undefined && isOwnDocument(data)
      ? "a script or a NodeConfig: MIME parts are not joined with those for amiId and localStorage"
      : undefined;
  const taken = [...(amiId ? ["kubernetes"] : []), ...(localStorage ? ["bootstrap-commands.local-storage"] : [])];
  const table = taken.find((name) => data.includes(`[settings.${name}]`));
  return table && `settings without a table [settings.${table}], which the platform writes`;
}
