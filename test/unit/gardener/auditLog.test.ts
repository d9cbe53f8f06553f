import assert from "node:assert/strict";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { withAuditLog } from "../../../kubernetes/gardener/auditLog";

const TENANT = { tenantID: "t1", serviceURL: "https://audit.example.com", secretName: "audit-secret" };
const shoot = (spec: object): KubeObject => ({
  ...{ apiVersion: "core.gardener.cloud/v1beta1", kind: "Shoot", metadata: { name: "acme" } },
  spec,
});
const OTHERS = { extensions: [{ type: "shoot-dns-service" }], resources: [{ name: "mine" }] };

describe("the audit log of a Shoot", () => {
  it("is an extension with the tenant and a reference to the Secret, next to existing entries", () => {
    assert.deepEqual(withAuditLog(shoot(OTHERS), TENANT)["spec"], {
      extensions: [
        { type: "shoot-dns-service" },
        {
          type: "shoot-auditlog-service",
          providerConfig: {
            apiVersion: "service.auditlog.extensions.gardener.cloud/v1alpha1",
            kind: "AuditlogConfig",
            type: "standard",
            tenantID: "t1",
            serviceURL: "https://audit.example.com",
            secretReferenceName: "auditlog-credentials",
          },
        },
      ],
      resources: [
        { name: "mine" },
        { name: "auditlog-credentials", resourceRef: { apiVersion: "v1", kind: "Secret", name: "audit-secret" } },
      ],
    });
  });

  it("is not added twice, and is updated for another tenant", () => {
    const once = withAuditLog(shoot({}), TENANT);
    assert.deepEqual(withAuditLog(once, TENANT), once);
    const other = withAuditLog(once, { ...TENANT, tenantID: "t2" })["spec"] as { extensions: object[] };
    assert.equal(other.extensions.length, 1);
    assert.match(JSON.stringify(other), /"tenantID":"t2"/);
  });
});
