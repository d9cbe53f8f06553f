/** Annotations that name the owner of a deployment to people, in this order. */
const OWNERS = ["organization_name", "project_name"] as const;

/** Longest name of a database. */
const LONGEST = 63;
/** A shorter part is no help. */
const SHORTEST = 3;

/**
 * Name of a new database that people recognise: `rill_acme_sales_<id>` for a deployment with annotations for its
 * organization and project. `name` is the prefix with the id, which stays whole at the end; the owners are cut where the
 * name gets too long.
 */
export function readableName(prefix: string, annotations: Readonly<Record<string, string>>, name: string): string {
  const owners = OWNERS.map((key) => legal(annotations[key] ?? "")).filter((owner) => owner !== "");
  const part = owners
    .join("_")
    .slice(0, Math.max(0, LONGEST - name.length - 1))
    .replace(/_+$/, "");
  return part.length < SHORTEST ? name : `${prefix}${part}_${name.slice(prefix.length)}`;
}

const legal = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\s-]+/g, "_")
    .replace(/[^a-z0-9_]/g, "")
    .replace(/^_+|_+$/g, "");
