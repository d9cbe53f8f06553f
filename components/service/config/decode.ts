import { mismatch, type Fault, type Path } from "../../../foundation/schema/faults";
import { foundAt, type FaultContext } from "../../../foundation/schema/issues";
import type { DecodeContext } from "../../contract/decoding";
import { namespaceConfig } from "../../namespaces/settings";
import { SERVICE, type ServiceInput, type ServiceSettings } from "./schema";

/** Variables that the chart sets or that are secret, each with what to use instead. */
const REFUSED: Readonly<Record<string, string>> = {
  APP_ADDRESS: "nothing, because the chart sets it",
  APP_METRICS_ADDRESS: "nothing, because the chart sets it",
  APP_DATABASE_URL: "nothing, because it is a secret; set service.secrets.databaseUrl",
  APP_DATABASE_PASSWORD: "nothing, because it is a secret; set service.secrets.databaseUrl",
  APP_STATE_BACKEND: "nothing, because it is a secret; set service.secrets.stateBackend",
  APP_WEBHOOK_SECRET: "nothing, because it is a secret; set service.secrets.webhookSecret",
  APP_ENCRYPTION_KEYS: "nothing, because it is a secret; set service.secrets.encryptionKeys",
  AWS_SECRET_ACCESS_KEY: "nothing, because it is a secret; set the role in service.serviceAccountAnnotations",
  AWS_SESSION_TOKEN: "nothing, because it is a secret; set the role in service.serviceAccountAnnotations",
  PULUMI_ACCESS_TOKEN: "nothing, because it is a secret; set service.secrets.stateBackend",
  PULUMI_CONFIG_PASSPHRASE: "nothing, because it is a secret; set service.secrets.passphrase",
  APP_STATIC_TOKENS: "nothing, because static tokens are for development; set APP_OIDC_ISSUER",
  APP_ALLOW_STATIC_TOKENS: "nothing, because static tokens are for development; set APP_OIDC_ISSUER",
};

/** Decodes the settings of the service. Undefined if it is not configured or disabled. Adds faults to the resolver. */
export function decodeService(
  input: ServiceInput | undefined,
  { place, faults, disabled }: DecodeContext,
): ServiceSettings | undefined {
  if (input === undefined) return undefined;
  faults.push(...serviceFaults(input, place));
  if (!input.enabled) {
    const consequences = "its API and status page end; deployments, their runtimes and its database stay";
    disabled.push({ component: "service", token: "ProvisioningService", consequences });
    return undefined;
  }
  const { podSecurity, quota, limits, secretName = SERVICE, ingress, ...rest } = input;
  return {
    ...rest,
    secretName,
    protection: namespaceConfig({ podSecurity, quota, limits }),
    ...(ingress && { ingress: { className: "", tlsSecretName: "", ...ingress } }),
  };
}

function serviceFaults(input: ServiceInput, place: FaultContext): Fault[] {
  const faults: Fault[] = [];
  const add = (path: Path, expected: string, hint?: string): void => {
    faults.push(mismatch(["service", ...path], foundAt(place, ["service", ...path]), expected, hint));
  };
  if (place.root["cluster"] === undefined) {
    faults.push(mismatch(["cluster"], "nothing", "a cluster, because the service runs in it"));
  }
  const { secrets, secretName, environment, secretEnvironment, autoscaling } = input;
  if (secrets && secretName !== undefined) add(["secretName"], "either secrets or secretName, not both");
  if (!secrets && secretName === undefined) {
    const hint = "set them with: pulumi config set --secret --path service.secrets.databaseUrl";
    add(["secrets"], "secrets with databaseUrl, or secretName, the name of an existing Secret", hint);
  }
  for (const name of Object.keys(environment)) {
    const expected = REFUSED[name];
    if (expected !== undefined) faults.push(mismatch(["service", "environment", name], "a value", expected));
  }
  for (const name of Object.keys(secretEnvironment)) {
    const at = ["secretEnvironment", name];
    if (secrets) add(at, "nothing, because the Secret of service.secrets has no such key; create one for secretName");
    else if (name === "PULUMI_CONFIG_PASSPHRASE") add(at, "nothing, because the chart sets it from the key passphrase");
    else if (environment[name] !== undefined) add(at, "nothing, because service.environment has it too");
  }
  if (autoscaling) {
    const { minReplicas, maxReplicas } = autoscaling;
    if (minReplicas > maxReplicas) add(["autoscaling", "minReplicas"], `at most maxReplicas, which is ${maxReplicas}`);
    const written = place.root["service"] as { readonly replicas?: number };
    if (written.replicas !== undefined) add(["replicas"], "nothing, because autoscaling decides");
  }
  if (environment["APP_OIDC_ISSUER"] === undefined) {
    add(["environment", "APP_OIDC_ISSUER"], "the URL of the issuer whose tokens are accepted");
  }
  return faults;
}
