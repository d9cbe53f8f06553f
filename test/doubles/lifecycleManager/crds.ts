import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { listAt, type KubeObject } from "../../../kubernetes/objects/objects";

const FILE = path.join(__dirname, "crds.json");

/**
 * The CRDs of Lifecycle Manager that the double adds, each with the versions that are served, without descriptions and
 * columns. `UPDATE_SNAPSHOTS=1 npm run test:lifecycle-manager` writes them from the program's own.
 */
export const readCrds = (): readonly KubeObject[] => JSON.parse(readFileSync(FILE, "utf8")) as KubeObject[];

/** Throws if the double has no CRD of this plural name. */
export function crdOf(plural: string): KubeObject {
  const found = readCrds().find(({ metadata }) => metadata.name.startsWith(`${plural}.`));
  if (found === undefined) throw new Error(`${FILE} has no ${plural}`);
  return found;
}

/** The part of a CRD that the double has. */
export function servedCrd({ apiVersion, kind, metadata: { name }, spec }: KubeObject): KubeObject {
  const { group, names, scope } = spec as object as Record<string, unknown>;
  const versions = listAt({ spec }, "spec", "versions")
    .filter(({ served }) => served === true)
    .map(withoutTexts);
  return { apiVersion, kind, metadata: { name }, spec: { group, names, scope, versions } };
}

/** A property can have the name `description` too; then it is a schema. */
const withoutTexts = (version: unknown): unknown =>
  JSON.parse(
    JSON.stringify(version, (key, value: unknown) =>
      key === "additionalPrinterColumns" || (key === "description" && typeof value === "string") ? undefined : value,
    ),
  );

export const writeCrds = (crds: readonly KubeObject[]): void =>
  writeFileSync(FILE, `${JSON.stringify(crds, undefined, 2)}\n`);
