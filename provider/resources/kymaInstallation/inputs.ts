/** Inputs of a KymaInstallation and their check. */

import { isObject } from "../../../foundation/json/isObject";
import { withoutNulls } from "../../../foundation/json/withoutUndefined";
import type { InputCheck } from "../../../foundation/pulumi/inputCheck";
import { hasUnknown, type Properties } from "../../../foundation/pulumi/resource";
import { checkInputs, oneWordOf } from "../../framework/resourceSchema";
import type { CheckedInputs, InputRules, InputsOf, TextRule } from "../../framework/resourceSchema";
import { CLUSTER_RULES } from "../../framework/clusterFields";
import { schema } from "./kymaInstallationSchema";

export interface Entry {
  readonly key: string;
  readonly value: string;
}
interface SecretEntry extends Entry {
  readonly component?: string;
}
export type ConflictStrategy = "Merge" | "Replace";
interface Component {
  readonly component: string;
  readonly namespace: string;
  readonly sourceURL?: string;
  readonly configuration?: readonly Entry[];
  readonly conflictStrategy?: ConflictStrategy;
}

interface Narrowed {
  readonly components?: readonly Component[];
  readonly configuration?: readonly Entry[];
  readonly secretOverrides?: readonly SecretEntry[];
  readonly conflictStrategy?: ConflictStrategy;
}

export type KymaInputs = InputsOf<typeof schema, keyof typeof DEFAULTS | "installerUrl", Narrowed>;

export interface KymaState extends KymaInputs {
  readonly installedDigest?: string;
  readonly state?: string;
}

const BUCKET = "https://storage.googleapis.com";
const DEFAULTS = { brokerUrlPrefix: "https://service-manager.", timeoutSeconds: 3600, errorPatienceSeconds: 600 };

/** Returns the URLs of the manifests that Kyma publishes for a version. */
export function releaseUrls(version: string): { readonly installerUrl: string; readonly tillerUrl: string } {
  const onDemand = /^(PR-|main$|main-|master$|master-)/.test(version);
  const folder = `${BUCKET}/${onDemand ? "kyma-development-artifacts" : "kyma-prow-artifacts"}/${version}`;
  return { installerUrl: `${folder}/kyma-installer-cluster.yaml`, tillerUrl: `${folder}/tiller.yaml` };
}

const isUrl = (text: string): boolean =>
  /^https?:\/\/\S+$/.test(text) && URL.canParse(text) && new URL(text).username === "";
const A_URL: TextRule = ["an http or https URL without user", isUrl];
const isEntry = (value: unknown): boolean =>
  isObject(value) && typeof value["key"] === "string" && value["key"] !== "" && typeof value["value"] === "string";

const STRATEGY = oneWordOf("Merge", "Replace");

const RULES: InputRules = {
  ...CLUSTER_RULES,
  version: ['a version such as "1.24.8"', (text) => /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/.test(text)],
  installerUrl: A_URL,
  tillerUrl: A_URL,
  digest: ["64 digits 0-9 and a-f", (text) => /^[0-9a-f]{64}$/.test(text)],
  profile: ["evaluation or production", (text) => /^(evaluation|production)$/i.test(text)],
  conflictStrategy: STRATEGY,
  configuration: checkEntries,
  secretOverrides: checkEntries,
  components: checkComponents,
};

export function checkKyma(given: Properties): CheckedInputs {
  const { version, installerUrl } = given;
  const urls = typeof version === "string" && installerUrl == null ? releaseUrls(version) : {};
  return checkInputs(schema, given, RULES, { defaults: { ...DEFAULTS, ...urls } });
}

function checkEntries(check: InputCheck, value: unknown, _inputs: Properties, path: string): void {
  if (hasUnknown(value) || (Array.isArray(value) && value.every(isEntry))) return;
  check.fail(path, value, "a list of objects with key and value");
}

function checkComponents(check: InputCheck, value: unknown): void {
  if (hasUnknown(value)) return;
  if (!Array.isArray(value) || value.length === 0) {
    check.fail("components", value, "a list of components, or nothing for those of the release");
    return;
  }
  value.forEach((one: unknown, index) => {
    const path = `components[${index}]`;
    if (!isObject(one)) return check.fail(path, one, "an object with component and namespace");
    for (const key of ["component", "namespace"]) check.text(`${path}.${key}`, one[key], "a name");
    const { sourceURL, conflictStrategy, configuration } = withoutNulls(one);
    if (sourceURL !== undefined) check.text(`${path}.sourceURL`, sourceURL, ...A_URL);
    if (conflictStrategy !== undefined) check.text(`${path}.conflictStrategy`, conflictStrategy, ...STRATEGY);
    if (configuration !== undefined) checkEntries(check, configuration, one, `${path}.configuration`);
  });
}
