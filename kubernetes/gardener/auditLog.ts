/** Configures the audit log of a Shoot, by the provider of its Seed and its region. Pure. */

import { isObject, type Json } from "../../foundation/json/isObject";
import { listAt, type KubeObject } from "../objects/objects";

interface AuditLogTenant {
  readonly tenantID: string;
  readonly serviceURL: string;
  readonly secretName: string;
}

/** By provider of the Seed, then by region of the Shoot. */
export type AuditLogTenants = Readonly<Record<string, Readonly<Record<string, AuditLogTenant>>>>;

const EXTENSION = "shoot-auditlog-service";
const CREDENTIALS = "auditlog-credentials";

/** Adds the extension that sends the Shoot's audit log, and the reference to the Secret that it needs. */
export function withAuditLog(shoot: KubeObject, { tenantID, serviceURL, secretName }: AuditLogTenant): KubeObject {
  const spec: Json = isObject(shoot["spec"]) ? shoot["spec"] : {};
  const extension = {
    type: EXTENSION,
    providerConfig: {
      apiVersion: "service.auditlog.extensions.gardener.cloud/v1alpha1",
      kind: "AuditlogConfig",
      type: "standard",
      tenantID,
      serviceURL,
      secretReferenceName: CREDENTIALS,
    },
  };
  const resource = { name: CREDENTIALS, resourceRef: { apiVersion: "v1", kind: "Secret", name: secretName } };
  const others = <T extends Json>(list: readonly T[], key: string, value: string): T[] =>
    list.filter((one) => one[key] !== value);
  return {
    ...shoot,
    spec: {
      ...spec,
      extensions: [...others(listAt(spec, "extensions"), "type", EXTENSION), extension],
      resources: [...others(listAt(spec, "resources"), "name", CREDENTIALS), resource],
    },
  };
}
