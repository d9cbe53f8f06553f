/** Plans the permissions that applying objects needs. Pure. */

import { describe, type KubeObject, isCrd } from "../../kubernetes/objects/objects";
import type { PlacedObject } from "./place";
import { referredRole, roleKey, rulesOfRole, type RoleRef } from "./rbac/rbac";
import { isBinding, isRole, RBAC } from "../../kubernetes/objects/rbac";
import { rightsOf, unique, type ResourceRight, type Right, type RbacRule } from "./rbac/rules";

/** A grant of permissions. The user must have them, or be allowed to grant permissions that they lack. */
interface Grant {
  /** `ClusterRole web`. */
  readonly title: string;
  /** `escalate` on the role, or `bind` on the bound role. */
  readonly instead: ResourceRight;
  /** All granted permissions; undefined if unknown, so that only `instead` suffices. */
  readonly rights: readonly Right[] | undefined;
}

export interface PermissionPlan {
  readonly rights: readonly Right[];
  readonly givings: readonly Grant[];
}

/**
 * Returns the permissions for a server-side apply of the objects, their pruning and their deletion. `roles`: rules of
 * bound roles outside the objects, by {@link roleKey}; a missing one does not exist or can't be read. `more`:
 * additional permissions.
 */
export function planPermissions(
  objects: readonly PlacedObject[],
  roles: ReadonlyMap<string, readonly RbacRule[]>,
  more: readonly Right[] = [],
): PermissionPlan {
  const own = new Map(
    objects.filter(({ object }) => isRole(object)).map((role) => [roleKey(refOf(role)), rulesOfRole(role.object)]),
  );
  return {
    rights: unique([...objects.flatMap(rightsOn), ...more]),
    givings: objects.flatMap((placed) => {
      // Only applying an object grants permissions.
      if (placed.fate !== undefined) return [];
      if (isRole(placed.object)) return [givingOfRole(placed)];
      if (isBinding(placed.object)) return [givingOfBinding(placed, (key) => own.get(key) ?? roles.get(key))];
      return [];
    }),
  };
}

/** Bound roles outside the objects, which must be read from the cluster. */
export function rolesToRead(objects: readonly PlacedObject[]): RoleRef[] {
  const own = new Set(objects.filter(({ object }) => isRole(object)).map((role) => roleKey(refOf(role))));
  const referred = objects
    .filter(({ object }) => isBinding(object))
    .map(({ object, namespace }) => referredRole(object, namespace));
  return [...new Map(referred.map((ref) => [roleKey(ref), ref])).values()].filter((ref) => !own.has(roleKey(ref)));
}

const refOf = ({ object, namespace }: PlacedObject): RoleRef => ({
  kind: object.kind === "Role" ? "Role" : "ClusterRole",
  name: object.metadata.name,
  ...(namespace === undefined ? {} : { namespace }),
});

function rightsOn({ object, group, resource, namespace, fate }: PlacedObject): Right[] {
  const all = { group, resource, ...(namespace === undefined ? {} : { namespace }) };
  const one = { ...all, name: object.metadata.name };
  return [
    ...["get", "patch", "delete"].map((verb) => ({ verb, ...one })),
    // `create` and `list` can't be restricted by name. Lists find objects that left the bundle.
    ...["create", "list"].filter((verb) => verb === "list" || fate !== "leaves").map((verb) => ({ verb, ...all })),
    // Existing objects are checked before a CRD is changed or deleted.
    ...(isCrd(object) ? [{ verb: "list", ...definedBy(object) }] : []),
  ];
}

/** Group and resource from the name of a CustomResourceDefinition. */
function definedBy({ metadata: { name } }: KubeObject): { readonly group: string; readonly resource: string } {
  const dot = name.indexOf(".");
  return { group: name.slice(dot + 1), resource: name.slice(0, dot) };
}

const titleOf = ({ object: { apiVersion, kind, metadata }, namespace }: PlacedObject): string =>
  describe({ apiVersion, kind, namespace, name: metadata.name });

function givingOfRole(placed: PlacedObject): Grant {
  const { object, resource, namespace } = placed;
  const scope = namespace === undefined ? {} : { namespace };
  return {
    title: titleOf(placed),
    instead: { verb: "escalate", group: RBAC, resource, name: object.metadata.name, ...scope },
    rights: rightsOf(rulesOfRole(object), namespace),
  };
}

function givingOfBinding(placed: PlacedObject, rulesOf: (key: string) => readonly RbacRule[] | undefined): Grant {
  const { object, namespace } = placed;
  const ref = referredRole(object, namespace);
  const rules = rulesOf(roleKey(ref));
  const resource = ref.kind === "Role" ? "roles" : "clusterroles";
  return {
    title: titleOf(placed),
    instead: { verb: "bind", group: RBAC, resource, name: ref.name, ...(namespace === undefined ? {} : { namespace }) },
    rights: rules && rightsOf(rules, namespace),
  };
}
