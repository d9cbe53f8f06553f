const before = process.env["PULUMI_CONFIG"];

/** The stack's config, as the engine reports it to its providers: these claims may be deleted. */
export function allow(...entries: string[]): void {
  if (entries.length > 0) {
    process.env["PULUMI_CONFIG"] = JSON.stringify({ allowDataLoss: JSON.stringify(entries) });
  } else if (before === undefined) delete process.env["PULUMI_CONFIG"];
  else process.env["PULUMI_CONFIG"] = before;
}

export const claim = (name: string, more: object = {}) => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name, ...more },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
});
