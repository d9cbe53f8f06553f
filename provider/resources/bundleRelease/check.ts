/** Checks the inputs of a release and resolves its sources. Unknown values pass. */

import { checkCluster } from "../../framework/clusterFields";
import { InputCheck } from "../../../foundation/pulumi/inputCheck";
import { hasUnknown, UNKNOWN, type InputFailure, type Properties } from "../../../foundation/pulumi/resource";
import { isList } from "../../../kubernetes/objects/objects";
import { WHEN } from "../../../bundles/approvals/status";
import { Refused, Unavailable } from "../../../bundles/errors";
import { WITH_VALUES } from "../../../foundation/bundleFormats";
import { DEFAULT_FORMAT, FORMATS, noValues } from "../../../bundles/format/formats";
import { resolve, type Caller, type ContentInputs } from "./wanted/content";
import { ALLOWANCES, isAllowance } from "../../../bundles/crdSafety/allowance";
import { ADOPTIONS, isAdoption } from "./ownership/adopt";
import { DEFAULT_TIMEOUT_SECONDS, GUARDED, type ReleaseInputs } from "./inputs";
import { REQUIREMENT } from "./wanted/requirements";
import { checkSources, needsCluster } from "./wanted/sources";
import { isLabel, LABEL_RULE } from "../../../kubernetes/objects/names";
import { inputsOf, secretsOf } from "../../framework/resourceSchema";
import { schema } from "./bundleReleaseSchema";
import { isObject } from "../../../foundation/json/isObject";

const isDigest = (text: string): boolean => /^sha256:[0-9a-f]{64}$/.test(text);
const KEY = "apiVersion/Kind/namespace/name, or without a namespace for what lives in none";
const isKey = (text: string): boolean => /^(v1|[a-z0-9.-]+\/[a-z0-9]+)\/[A-Za-z0-9]+(\/[^/\s]+){1,2}$/.test(text);

interface Checked {
  readonly inputs: Properties;
  readonly failures: InputFailure[];
}

/** `old`: the inputs of the last update, if there was one. */
export async function checkRelease(
  all: Properties,
  caller: Caller,
  old: Partial<ReleaseInputs> = {},
): Promise<Checked> {
  const { inputs, failures } = checkFields(all);
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

function checkFields(all: Properties): Checked {
  // Some programs use null for values that are not set.
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== null));
  const inputs: Properties = {
    ...given,
    format: given["format"] ?? DEFAULT_FORMAT,
    force: given["force"] ?? false,
    adopt: given["adopt"] ?? [],
    replace: given["replace"] ?? [],
    allowDeletion: given["allowDeletion"] ?? [],
    allowCrdChanges: given["allowCrdChanges"] ?? [],
    requires: given["requires"] ?? [],
    rollback: given["rollback"] ?? "none",
    providedBy: given["providedBy"] ?? [],
    approval: given["approval"] ?? "never",
    awaitApproval: given["awaitApproval"] ?? false,
    timeoutSeconds: given["timeoutSeconds"] ?? DEFAULT_TIMEOUT_SECONDS,
  };
  const check = new InputCheck(secretsOf(schema));
  check.keys("", given, inputsOf(schema));
  checkCluster(check, given);
  check.text("name", given["name"], LABEL_RULE, isLabel);
  check.text("namespace", given["namespace"], LABEL_RULE, isLabel);
  checkSources(check, given["sources"], given["credentials"]);
  const formats = [...FORMATS.keys()];
  check.text("format", inputs["format"], `one of ${formats.join(", ")}`, (text) => formats.includes(text));
  checkValues(check, inputs);
  if ("digest" in given) check.text("digest", given["digest"], "sha256: and 64 of 0-9 and a-f", isDigest);
  check.flag("force", inputs["force"]);
  checkTexts(check, "adopt", inputs["adopt"], ADOPTIONS, isAdoption);
  if ("takers" in given) checkTakers(check, given["takers"]);
  const isReplaced = (text: string): boolean => isKey(text) || REQUIREMENT.test(text);
  checkTexts(check, "replace", inputs["replace"], `${KEY}; or apiVersion/Kind`, isReplaced);
  const isGuarded = (text: string): boolean => GUARDED.some((kind) => kind === text);
  checkTexts(check, "allowDeletion", inputs["allowDeletion"], GUARDED.join(" or "), isGuarded);
  checkTexts(check, "allowCrdChanges", inputs["allowCrdChanges"], ALLOWANCES, isAllowance);
  checkTexts(check, "requires", inputs["requires"], "apiVersion/Kind", (text) => REQUIREMENT.test(text));
  check.text("rollback", inputs["rollback"], "auto or none", (text) => text === "auto" || text === "none");
  const isProvided = (text: string): boolean => text.includes(".") || /^Namespace\/[a-z0-9-]+$/.test(text);
  checkTexts(check, "providedBy", inputs["providedBy"], "<plural>.<group>, or Namespace/<name>", isProvided);
  if ("as" in given) check.text("as", given["as"], "a user, such as system:serviceaccount:<namespace>:<name>");
  check.text("approval", inputs["approval"], WHEN.join(" or "), (text) => WHEN.some((when) => when === text));
  check.flag("awaitApproval", inputs["awaitApproval"]);
  check.positive("timeoutSeconds", inputs["timeoutSeconds"]);
  if ("reconcileSeconds" in given) checkInterval(check, inputs["reconcileSeconds"]);
  if ("createNamespace" in given) check.flag("createNamespace", given["createNamespace"]);
  if ("networkPolicies" in given) check.flag("networkPolicies", given["networkPolicies"]);
  if ("protectData" in given) check.flag("protectData", given["protectData"]);
  if ("retained" in given) check.flag("retained", given["retained"]);
  return { inputs, failures: check.failures };
}

const LEAST_INTERVAL = 60;

function checkInterval(check: InputCheck, seconds: unknown): void {
  if (seconds === UNKNOWN || (Number.isSafeInteger(seconds) && Number(seconds) >= LEAST_INTERVAL)) return;
  check.fail("reconcileSeconds", seconds, `a whole number of seconds, at least ${LEAST_INTERVAL}`);
}

/** Messages never contain the values. */
function checkValues(check: InputCheck, inputs: Properties): void {
  const format = FORMATS.get(String(inputs["format"]));
  for (const path of ["values", "secretValues"]) {
    const values = inputs[path];
    if (values === undefined || values === UNKNOWN) continue;
    if (!isObject(values)) check.failures.push({ property: path, reason: "found something else; expected an object" });
    else if (format && !WITH_VALUES.includes(format.name) && Object.keys(values).length > 0) {
      check.failures.push({ property: path, reason: noValues(format.name) });
    }
  }
}

function checkTakers(check: InputCheck, takers: unknown): void {
  if (takers === UNKNOWN) return;
  if (!isList(takers)) return check.fail("takers", takers, "a list");
  takers.forEach((taker, index) => {
    const path = `takers[${index}]`;
    if (!isObject(taker)) return check.fail(path, taker, "an object with bundle and adopt");
    check.text(`${path}.bundle`, taker["bundle"], "<namespace>/<name>", (text) => /^[^/]+\/[^/]+$/.test(text));
    checkTexts(check, `${path}.adopt`, taker["adopt"], ADOPTIONS, isAdoption);
  });
}

function checkTexts(
  check: InputCheck,
  path: string,
  list: unknown,
  expected: string,
  accepts: (text: string) => boolean,
): void {
  if (list === UNKNOWN) return;
  if (!isList(list)) return check.fail(path, list, "a list");
  list.forEach((text, index) => check.text(`${path}[${index}]`, text, expected, accepts));
}
