/** Inputs of a KymaInstallation and their check. */

import { isObject } from "../../../foundation/json/isObject";
import { InputCheck } from "../../../foundation/pulumi/inputCheck";
import { hasUnknown, type InputFailure, type Properties } from "../../../foundation/pulumi/resource";
import type { ClusterAccess } from "../../../kubernetes/identity/clusterAccess";
import { inputsOf, secretsOf } from "../../framework/resourceSchema";
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

export interface KymaInputs extends ClusterAccess {
  readonly version: string;
  readonly installerUrl: string;
  readonly tillerUrl?: string;
  readonly digest?: string;
  readonly profile?: string;
  readonly components?: readonly Component[];
  readonly configuration?: readonly Entry[];
  readonly secretOverrides?: readonly SecretEntry[];
  readonly conflictStrategy?: ConflictStrategy;
  readonly brokerUrlPrefix: string;
  readonly timeoutSeconds: number;
  readonly errorPatienceSeconds: number;
}

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

const A_URL = "an http or https URL without user";
const isUrl = (text: string): boolean =>
  /^https?:\/\/\S+$/.test(text) && URL.canParse(text) && new URL(text).username === "";
const isEntry = (value: unknown): boolean =>
  isObject(value) && typeof value["key"] === "string" && value["key"] !== "" && typeof value["value"] === "string";

export function checkKyma(given: Properties): { inputs: Properties; failures: InputFailure[] } {
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value != null));
  const check = new InputCheck(secretsOf(schema));
  const isVersion = (text: string): boolean => /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/.test(text);
  check.text("version", said["version"], 'a version such as "1.24.8"', isVersion);
  const { version, installerUrl } = said;
  const urls = typeof version === "string" && installerUrl === undefined ? releaseUrls(version) : {};
  const inputs: Properties = { ...DEFAULTS, ...urls, ...said };
  check.keys("", inputs, inputsOf(schema));
  if ("kubeconfig" in inputs) check.text("kubeconfig", inputs["kubeconfig"], "a kubeconfig", (text) => text !== "");
  check.text("cluster", inputs["cluster"], "the address of the cluster, such as its server URL");
  for (const key of ["installerUrl", "tillerUrl"])
    if (inputs[key] !== undefined) check.text(key, inputs[key], A_URL, isUrl);
  if (inputs["digest"] !== undefined)
    check.text("digest", inputs["digest"], "64 digits 0-9 and a-f", (text) => /^[0-9a-f]{64}$/.test(text));
  if (inputs["profile"] !== undefined)
    check.text("profile", inputs["profile"], "evaluation or production", (text) =>
      /^(evaluation|production)$/i.test(text),
    );
  for (const key of ["timeoutSeconds", "errorPatienceSeconds"]) check.count(key, inputs[key]);
  checkStrategy(check, "conflictStrategy", inputs["conflictStrategy"]);
  checkEntries(check, "configuration", inputs["configuration"]);
  checkEntries(check, "secretOverrides", inputs["secretOverrides"]);
  checkComponents(check, inputs["components"]);
  return { inputs, failures: check.failures };
}

function checkStrategy(check: InputCheck, path: string, value: unknown): void {
  if (value !== undefined)
    check.text(path, value, "Merge or Replace", (text) => text === "Merge" || text === "Replace");
}

function checkEntries(check: InputCheck, path: string, value: unknown): void {
  if (value === undefined || hasUnknown(value)) return;
  if (Array.isArray(value) && value.every(isEntry)) return;
  check.fail(path, value, "a list of objects with key and value");
}

function checkComponents(check: InputCheck, value: unknown): void {
  if (value === undefined || hasUnknown(value)) return;
  if (!Array.isArray(value) || value.length === 0) {
    check.fail("components", value, "a list of components, or nothing for those of the release");
    return;
  }
  value.forEach((one: unknown, index) => {
    const path = `components[${index}]`;
    if (!isObject(one)) return check.fail(path, one, "an object with component and namespace");
    for (const key of ["component", "namespace"]) check.text(`${path}.${key}`, one[key], "a name");
    if (one["sourceURL"] != null) check.text(`${path}.sourceURL`, one["sourceURL"], A_URL, isUrl);
    checkStrategy(check, `${path}.conflictStrategy`, one["conflictStrategy"] ?? undefined);
    checkEntries(check, `${path}.configuration`, one["configuration"] ?? undefined);
  });
}
