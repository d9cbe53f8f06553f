/** Helm values of the provisioning service, and its Secret. Pure. */

import { createHmac } from "node:crypto";
import { SERVICE, type ServiceSecrets, type ServiceSettings } from "./config/schema";

export type Manifest = Record<string, unknown>;

interface ChartInputs {
  /** Default platform stack of deployments. */
  readonly platform: string;
  /** Changes with the secrets, so that pods restart. Not set for an existing Secret. */
  readonly secretChecksum?: string | undefined;
  /** Whether to create a ServiceMonitor for the Prometheus operator. */
  readonly monitored: boolean;
}

/** Values of `charts/service`. */
export function chartValues(settings: ServiceSettings, { platform, secretChecksum, monitored }: ChartInputs): object {
  const { image, imagePullSecrets, replicas, secretName, filesSecretName, resources, networkPolicy } = settings;
  const { environment, secretEnvironment, ingress, serviceAccountAnnotations, autoscaling } = settings;
  const { nodeSelector, tolerations, affinity, priorityClassName, podAnnotations } = settings;
  const { interval, labels } = settings.serviceMonitor;
  return {
    ...{ name: SERVICE, image, imagePullSecrets, replicas, secretName, resources, networkPolicy },
    ...{ nodeSelector, tolerations, affinity, podAnnotations, secretEnvironment },
    terminationGracePeriodSeconds: settings.terminationGracePeriodSeconds,
    environment: { APP_PLATFORM: platform, ...environment },
    serviceAccount: { annotations: serviceAccountAnnotations },
    serviceMonitor: { enabled: monitored, interval, labels },
    ...(secretChecksum !== undefined && { secretChecksum }),
    ...(filesSecretName !== undefined && { filesSecretName }),
    ...(priorityClassName !== undefined && { priorityClassName }),
    ...(autoscaling && { autoscaling: { enabled: true, ...autoscaling } }),
    ...(ingress && { ingress: { enabled: true, ...ingress } }),
  };
}

/** The Secret with the keys that the chart expects. */
export function secretObject(name: string, secrets: ServiceSecrets): Manifest {
  const data = Object.fromEntries(
    Object.entries(secrets).map(([key, text]: [string, string]) => [key, Buffer.from(text).toString("base64")]),
  );
  return { apiVersion: "v1", kind: "Secret", metadata: { name }, type: "Opaque", data };
}

/** Keyed, so that the checksum reveals nothing about the secrets. */
export const checksumOf = (secrets: ServiceSecrets, key: string): string =>
  createHmac("sha256", key).update(JSON.stringify(secrets)).digest("hex").slice(0, 16);

/** Separates the migration Job, which must complete before the other objects of a version are applied. */
export function inSteps(objects: readonly Manifest[]): { readonly migrations: Manifest[]; readonly rest: Manifest[] } {
  const isMigration = (object: Manifest): boolean => object["kind"] === "Job";
  return { migrations: objects.filter(isMigration), rest: objects.filter((each) => !isMigration(each)) };
}
