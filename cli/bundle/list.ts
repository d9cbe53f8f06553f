import type { Instance } from "../../bundles/approvals/approval";
import { allApprovals } from "../../bundles/approvals/store";
import type { BundleListOptions } from "./options";
import type { Context } from "../context";
import { ago } from "../../foundation/text/numbers";
import { table } from "../terminal/table";
import { kubectl } from "./cluster/kubectl";
import { structured } from "../options/output";
import { decisionOn, decisionText, openRequest, releasesIn } from "./cluster/releases";

/** Lists the bundles of a cluster, and those that wait for an approval. */
export async function listReleases(context: Context, options: BundleListOptions): Promise<void> {
  const { client, namespace } = await kubectl(context.platforms, options);
  const place = options.allNamespaces === true ? undefined : namespace;
  const [releases, approvals] = await Promise.all([releasesIn(client, place), allApprovals(client)]);
  const asked = approvals
    .map(({ bundle }) => bundle)
    .filter((bundle) => place === undefined || bundle.namespace === place);
  const keyOf = (one: Instance): string => `${one.namespace}/${one.name}`;
  const all = new Map<string, Instance>([...asked, ...releases].map((one) => [keyOf(one), one]));
  const rows = [...all]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { name, namespace }]) => {
      const release = releases.find((one) => keyOf(one) === key);
      const request = openRequest(approvals, { name, namespace });
      return {
        namespace,
        name,
        digest: release?.digest,
        decision: release && decisionOn(approvals, { name, namespace, digest: release.digest }),
        waiting: request && { digest: request.digest, by: request.by },
        since: release?.since,
      };
    })
    // A bundle with decisions alone is not in the cluster.
    .filter(({ since, waiting }) => since !== undefined || waiting !== undefined);
  const text = structured(rows, options);
  if (text !== undefined) return context.print(text);
  if (rows.length === 0) {
    const where = place === undefined ? "in the cluster" : `in namespace ${place}; --all-namespaces looks everywhere`;
    return context.print(`no bundles ${where}`);
  }
  context.print(
    table(
      ["NAMESPACE", "NAME", "DIGEST", "DECISION", "WAITING", "AGE"],
      rows.map(({ namespace, name, digest, decision, waiting, since }) => [
        namespace,
        name,
        short(digest),
        decisionText(decision),
        waiting === undefined ? "-" : `${short(waiting.digest)} for ${waiting.by}`,
        since === undefined ? "-" : ago(since, new Date()),
      ]),
    ),
  );
}

/** Long enough to distinguish digests. */
const short = (digest: string | undefined): string => (digest === undefined ? "-" : digest.slice(0, 19));
