/** Checks the inputs of a release and resolves its sources. Unknown values pass. */

import { aboveZero, checkInputs, oneWordOf } from "../../framework/resourceSchema";
import type { CheckedInputs, InputRule, InputRules } from "../../framework/resourceSchema";
import { CLUSTER_RULES } from "../../framework/clusterFields";
import type { InputCheck } from "../../../foundation/pulumi/inputCheck";
import { hasUnknown, UNKNOWN, type Properties } from "../../../foundation/pulumi/resource";
import { isList } from "../../../kubernetes/objects/objects";
import { WHEN } from "../../../bundles/approvals/status";
import { Refused, Unavailable } from "../../../bundles/errors";
import { WITH_VALUES } from "../../../foundation/bundleFormats";
import { DEFAULT_FORMAT, FORMATS, noValues } from "../../../bundles/format/formats";
import { resolve, type Caller, type ContentInputs } from "./wanted/content";
import { ALLOWANCES, isAllowance } from "../../../bundles/crdSafety/allowance";
import { ADOPTIONS, isAdoption } from "./ownership/adopt";
import { DEFAULTS, GUARDED, type ReleaseInputs } from "./inputs";
import { REQUIREMENT } from "./wanted/requirements";
import { checkSources, needsCluster } from "./wanted/sources";
import { isLabel, LABEL_RULE } from "../../../kubernetes/objects/names";
import { schema } from "./bundleReleaseSchema";
import { isObject } from "../../../foundation/json/isObject";

const isDigest = (text: string): boolean => /^sha256:[0-9a-f]{64}$/.test(text);
const KEY = "apiVersion/Kind/namespace/name, or without a namespace for what lives in none";
const isKey = (text: string): boolean => /^(v1|[a-z0-9.-]+\/[a-z0-9]+)\/[A-Za-z0-9]+(\/[^/\s]+){1,2}$/.test(text);

/** `old`: the inputs of the last update, if there was one. */
export async function checkRelease(
  all: Properties,
  caller: Caller,
  old: Partial<ReleaseInputs> = {},
): Promise<CheckedInputs> {
  const { inputs, failures } = checkInputs(schema, all, RULES, { defaults: { format: DEFAULT_FORMAT, ...DEFAULTS } });
  if (failures.length > 0 || inputs["digest"] !== undefined) return { inputs, failures };
  const { sources, credentials, format, kubeconfig } = inputs;
  const ownCluster = isList(sources) && sources.some(needsCluster);
  if (hasUnknown([sources, credentials, format, ownCluster && kubeconfig]))
    return { inputs: { ...inputs, digest: UNKNOWN }, failures };
  try {
    return {
      inputs: { ...inputs, ...(await resolve(inputs as unknown as ContentInputs, caller, old.sourceDigests)) },
      failures,
    };
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Unavailable)) throw error;
    const advice =
      error instanceof Unavailable && error.passing ? ". With digest: sha256:…, cached content needs no source" : "";
    return { inputs, failures: [{ property: "sources", reason: `${error.message}${advice}` }] };
  }
}

const NAMES = [...FORMATS.keys()];

const RULES: InputRules = {
  ...CLUSTER_RULES,
  name: [LABEL_RULE, isLabel],
  namespace: [LABEL_RULE, isLabel],
  sources: (check, sources, { credentials }) => checkSources(check, sources, credentials),
  format: [`one of ${NAMES.join(", ")}`, (text) => NAMES.includes(text)],
  values: checkValues,
  secretValues: checkValues,
  digest: ["sha256: and 64 of 0-9 and a-f", isDigest],
  adopt: texts(ADOPTIONS, isAdoption),
  takers: checkTakers,
  replace: texts(`${KEY}; or apiVersion/Kind`, (text) => isKey(text) || REQUIREMENT.test(text)),
  allowDeletion: texts(GUARDED.join(" or "), (text) => GUARDED.some((kind) => kind === text)),
  allowCrdChanges: texts(ALLOWANCES, isAllowance),
  requires: texts("apiVersion/Kind", (text) => REQUIREMENT.test(text)),
  rollback: oneWordOf("auto", "none"),
  providedBy: texts(
    "<plural>.<group>, or Namespace/<name>",
    (text) => text.includes(".") || /^Namespace\/[a-z0-9-]+$/.test(text),
  ),
  as: ["a user, such as system:serviceaccount:<namespace>:<name>"],
  approval: [WHEN.join(" or "), (text) => WHEN.some((when) => when === text)],
  timeoutSeconds: aboveZero,
  reconcileSeconds: checkInterval,
};

const LEAST_INTERVAL = 60;

function checkInterval(check: InputCheck, seconds: unknown): void {
  if (Number.isSafeInteger(seconds) && Number(seconds) >= LEAST_INTERVAL) return;
  check.fail("reconcileSeconds", seconds, `a whole number of seconds, at least ${LEAST_INTERVAL}`);
}

/** Messages never contain the values. */
function checkValues(check: InputCheck, values: unknown, inputs: Properties, path: string): void {
  const format = FORMATS.get(String(inputs["format"]));
  if (!isObject(values)) check.failures.push({ property: path, reason: "found something else; expected an object" });
  else if (format && !WITH_VALUES.includes(format.name) && Object.keys(values).length > 0) {
    check.failures.push({ property: path, reason: noValues(format.name) });
  }
}

function checkTakers(check: InputCheck, takers: unknown, inputs: Properties): void {
  if (!isList(takers)) return check.fail("takers", takers, "a list");
  takers.forEach((taker, index) => {
    const path = `takers[${index}]`;
    if (!isObject(taker)) return check.fail(path, taker, "an object with bundle and adopt");
    check.text(`${path}.bundle`, taker["bundle"], "<namespace>/<name>", (text) => /^[^/]+\/[^/]+$/.test(text));
    texts(ADOPTIONS, isAdoption)(check, taker["adopt"], inputs, `${path}.adopt`);
  });
}

/** A list of such texts. */
function texts(expected: string, accepts: (text: string) => boolean): InputRule {
  return (check, list, _inputs, path) => {
    if (list === UNKNOWN) return;
    if (!isList(list)) return check.fail(path, list, "a list");
    list.forEach((text, index) => check.text(`${path}[${index}]`, text, expected, accepts));
  };
}
