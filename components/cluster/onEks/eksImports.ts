/** The resources of a cluster that existed before its stack, as `stackyard eks import` lists them. Pure. */

import { parseLockFile, record, renderLockFile, type LockRead } from "../../../foundation/lockFile";

export interface ImportedResource {
  /** Such as `aws:eks/addon:Addon`. */
  readonly type: string;
  /** Name of the resource without that of the cluster's component: `coredns`, `nodes/general`. */
  readonly name: string;
  /** Import id of the type. */
  readonly id: string;
  /** Properties that stay as they are, whatever the config says. */
  readonly keep: readonly string[];
  /** Whether it stays when the stack is destroyed, because others may use it. */
  readonly retain: boolean;
}

/** Roles by the ends of their resource names. */
export const IMPORTED_ROLES = { controlPlane: "control-plane-role", nodes: "nodes-role" } as const;

/** Whether a role of the cluster existed before, whose name is then not the platform's. */
export const importsRole = (imports: readonly ImportedResource[], role: keyof typeof IMPORTED_ROLES): boolean =>
  imports.some(({ type, name }) => type === "aws:iam/role:Role" && name === IMPORTED_ROLES[role]);

const HEAD = `# Resources that existed before the stack, written by \`stackyard eks import\`. Properties under \`keep\` stay as they are: remove one, and the stack file decides.
`;

export const parseEksImports = (text: string): LockRead<readonly ImportedResource[]> =>
  parseLockFile<readonly ImportedResource[]>(text, (document) => {
    const { resources } = document ?? {};
    if (!Array.isArray(resources)) return { trouble: "no list of resources" };
    const all = resources.map(readImported);
    const wrong = all.findIndex((one) => one === undefined);
    if (wrong >= 0)
      return { trouble: `no type, name and id, with keep as a list of properties, in resources[${wrong}]` };
    return { lock: all.flatMap((one) => one ?? []) };
  });

function readImported(value: unknown): ImportedResource | undefined {
  const { type, name, id, keep = [], retain = false } = record(value) ?? {};
  const isText = (one: unknown): one is string => typeof one === "string" && one !== "";
  if (!isText(type) || !isText(name) || !isText(id) || !Array.isArray(keep) || !keep.every(isText)) return undefined;
  return typeof retain === "boolean" ? { type, name, id, keep, retain } : undefined;
}

export const renderEksImports = (all: readonly ImportedResource[]): string =>
  renderLockFile(HEAD, {
    resources: all.map(({ type, name, id, keep, retain }) => ({
      ...{ type, name, id },
      ...(keep.length > 0 && { keep: [...keep] }),
      ...(retain && { retain }),
    })),
  });
