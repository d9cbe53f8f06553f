/** Finds what an upgrade of a CustomResourceDefinition would break. Pure. */

import { isDeepStrictEqual } from "node:util";
import { byCode } from "../tree/tree";
import { shortValue, type Check, type Violation } from "./checks";
import { versionNamed, type Crd, type CrdVersion } from "./crd";
import { compareSchemas } from "./schemaDifferences";
import type { Json } from "../../foundation/json/isObject";

type Found = Omit<Violation, "crd">;

/**
 * Returns everything that the new CRD would break, without what the old one had already broken, and without allowed
 * checks.
 */
export function crdFaults(old: Crd, next: Crd, allowed: readonly Check[] = []): Violation[] {
  const found = [
    ...wholeFaults(old, next),
    ...old.versions.flatMap((version) => versionFaults(version, old, next)),
    ...newVersionFaults(old, next),
  ];
  return found.filter(({ check }) => !allowed.includes(check)).map((one) => ({ ...one, crd: next.name }));
}

function wholeFaults(old: Crd, next: Crd): Found[] {
  const found: Found[] = [];
  const report = (check: Check, was: string, becomes: string): void => void found.push({ check, was, becomes });
  if (old.scope !== next.scope) report("scopeChanged", old.scope, next.scope);
  for (const key of ["group", "kind", "plural"] as const) {
    if (old[key] !== next[key]) report("namesChanged", `${key} ${old[key]}`, `${key} ${next[key]}`);
  }
  const several = old.versions.length > 1 && next.versions.length > 1;
  if (several && old.conversion !== next.conversion)
    report("conversionChanged", `by ${old.conversion}`, `by ${next.conversion}`);
  // A stored version that the old CRD does not have either is not the new one's fault.
  const versions = next.versions.map(({ name }) => name);
  for (const stored of old.storedVersions) {
    if (!versions.includes(stored) && versionNamed(old, stored)) {
      report("storedVersionRemoved", `${stored}, in which objects are stored`, `without it (${versions.join(", ")})`);
    }
  }
  return found;
}

function versionFaults(old: CrdVersion, oldCrd: Crd, nextCrd: Crd): Found[] {
  const version = old.name;
  const next = versionNamed(nextCrd, version);
  if (!next?.served && old.served) {
    const stored = !next && oldCrd.storedVersions.includes(version);
    // Already reported as a stored version that is removed.
    return stored
      ? []
      : [{ check: "servedVersionRemoved", version, was: "served", becomes: next ? "not served" : "gone" }];
  }
  if (!next) return [];
  const found: Found[] = [];
  if (old.status && !next.status)
    found.push({ check: "subresourceRemoved", version, was: "with status apart", becomes: "without" });
  if (old.scale && !isDeepStrictEqual(old.scale, next.scale)) {
    const [was, becomes] = scaleTexts(old.scale, next.scale);
    found.push({ check: "subresourceRemoved", version, was, becomes });
  }
  return [...found, ...compareSchemas(old.schema, next.schema).map((one) => ({ ...one, version }))];
}

/** Only the fields that differ. */
function scaleTexts(old: Json, next: Json | undefined): [string, string] {
  if (!next) return [`with scale ${shortValue(old)}`, "without"];
  const keys = [...new Set([...Object.keys(old), ...Object.keys(next)])].sort(byCode);
  const different = keys.filter((key) => !isDeepStrictEqual(old[key], next[key]));
  const text = (scale: Json): string => different.map((key) => `${key} ${shortValue(scale[key])}`).join(", ");
  return [`with scale ${text(old)}`, `with ${text(next)}`];
}

/** Without conversion, stored objects are read as a new version with only their `apiVersion` changed. */
function newVersionFaults(old: Crd, next: Crd): Found[] {
  const stored = old.versions.find(({ storage }) => storage);
  if (!stored || next.conversion !== "None") return [];
  return next.versions
    .filter(({ name, served, storage }) => (served || storage) && !versionNamed(old, name))
    .flatMap(({ name, schema }) =>
      compareSchemas(stored.schema, schema).map((one) => ({ ...one, version: `${stored.name} → ${name}` })),
    );
}
