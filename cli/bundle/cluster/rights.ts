import { placeText } from "../../../bundles/errors";
import type { BundleObject } from "../../../bundles/format/format";
import { missingPermissions, whoami } from "../../../bundles/permissions/reviews";
import { placeObjects, type PlacedObject } from "../../../bundles/permissions/place";
import type { Right } from "../../../bundles/permissions/rbac/rules";
import type { Client } from "../../../kubernetes/client/client";

/** Maps the objects of a bundle to API resources; `unknown` lists objects without one, with the reason. */
export async function placed(
  client: Client,
  objects: readonly BundleObject[],
  namespace: string,
): Promise<{ readonly placed: readonly PlacedObject[]; readonly unknown: readonly string[] }> {
  const plain = objects.map(({ object }) => object);
  const found = await placeObjects(client.discovery, plain, namespace);
  const from = new Map(objects.map((one) => [one.object, placeText(one)]));
  return { placed: found.placed, unknown: found.unknown.map(({ object, why }) => `${from.get(object)}: ${why}`) };
}

/** Returns the user who would apply the objects, and the missing permissions. */
export async function lackingRights(
  client: Client,
  objects: readonly PlacedObject[],
  as: string | undefined,
): Promise<{ readonly user: string; readonly rights: readonly Right[] }> {
  const applier = as === undefined ? client : client.as({ user: as });
  const [user, rights] = await Promise.all([whoami(applier), missingPermissions(applier, objects, client)]);
  return { user, rights };
}
