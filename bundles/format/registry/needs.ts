/** Checks whether a cluster meets the requirements of an operator. Otherwise nothing is applied. */

import { coerce, lt } from "semver";
import { groupOf } from "../../../kubernetes/objects/objects";
import { Refused } from "../../errors";
import type { ClusterFacts } from "../format";
import { ISSUER_KINDS } from "./objects/certificates";
import type { Content } from "./content";
import { wordsOf, type Dependency } from "./dependencies";
import type { OperatorChoice } from "./values";

/** Whether the requirement is met; undefined if unknown. */
type Answer = boolean | undefined;

export function checkNeeds(
  { csv, crds, dependencies }: Content,
  choice: OperatorChoice,
  facts: ClusterFacts,
  isComing: (kind: string) => boolean,
): void {
  const own = new Set(crds.map(({ object }) => kindKey(object["spec"])));
  const served = new Set(facts.apiVersions);
  const answer = (dependency: Dependency): Answer => {
    if ("rule" in dependency) return joined(dependency.rule, dependency.of.map(answer));
    if ("words" in dependency) return choice.assume.includes(dependency.words) ? true : undefined;
    const { apiVersion, kind } = dependency;
    const key = `${apiVersion}/${kind}`;
    return served.has(key) || own.has(`${groupOf(apiVersion)}/${kind}`) || isComing(key);
  };
  const open = dependencies.filter(
    (one) => answer(one) !== true && !("words" in one && choice.assume.includes(one.words)),
  );
  const isKind = (one: Dependency): one is Dependency & { kind: string; apiVersion: string } => "kind" in one;
  const issuers =
    csv.webhooks.length > 0 ? ISSUER_KINDS[choice.certificates].filter((one) => answer(one) !== true) : [];
  const faults = [
    ...versionFaults(csv.minKubeVersion, facts.kubeVersion),
    ...open.map((one) => (isKind(one) ? noKind(one, NEEDED) : answer(one) === false ? notMet(one) : notKnown(one))),
    ...issuers.map((one) => noKind(one, ISSUER_ADVICE)),
  ];
  refuse(faults);
}

/** Checks a cluster of which only the version is known. */
export const checkVersion = ({ csv }: Content, kubeVersion: string): void =>
  refuse(versionFaults(csv.minKubeVersion, kubeVersion));

function refuse(faults: readonly string[]): void {
  if (faults.length === 0) return;
  const lines = [...new Set(faults)].map((fault) => `  - ${fault}`);
  throw new Refused(["the operator can't be installed, nothing was changed:", ...lines].join("\n"));
}

const NEEDED = "the operator needs it; install what provides it first";
const ISSUER_ADVICE =
  "the operator's webhooks need certificates; install cert-manager first, or on OpenShift set the value certificates: openshift";

const noKind = ({ apiVersion, kind }: { apiVersion: string; kind: string }, advice: string): string =>
  `the cluster has no kind ${kind} in ${apiVersion}: ${advice}`;

const notMet = (one: Dependency): string => `the operator needs what the cluster has not: ${wordsOf(one)}`;

const notKnown = (one: Dependency): string =>
  `the operator needs what a cluster can't report: ${wordsOf(one)}; make sure that it exists, for example with an instance of ` +
  `a bundle that this version requires, and say so with the value assume: [${JSON.stringify(wordsOf(one))}]`;

function joined(rule: "all" | "any" | "none", answers: readonly Answer[]): Answer {
  if (rule === "all") return answers.includes(false) ? false : answers.includes(undefined) ? undefined : true;
  const some = answers.includes(true) ? true : answers.includes(undefined) ? undefined : false;
  return rule === "any" || some === undefined ? some : !some;
}

function versionFaults(least: string | undefined, found: string): string[] {
  const [wanted, has] = [coerce(least), coerce(found)];
  if (!wanted || !has || !lt(has, wanted)) return [];
  return [`the operator needs Kubernetes ${wanted.version} or newer; the cluster has ${found}`];
}

/** `cache.example.com/Memcached` */
function kindKey(spec: unknown): string {
  const { group, names } = (spec ?? {}) as { group?: unknown; names?: { kind?: unknown } };
  return `${String(group)}/${String(names?.kind)}`;
}
