import { isDeepStrictEqual } from "node:util";
import { NAMESPACE_KEYS, type NamespaceClaim } from "../settings";
import { limitFaults } from "./limits";
import { valueAt } from "../../../foundation/schema/describe";
import { mismatch, renderPath, type Fault, type Path } from "../../../foundation/schema/faults";
import { foundAt, type FaultContext } from "../../../foundation/schema/issues";

/** Faults for keys without effect, and for components with conflicting settings of one namespace. */
export function namespaceFaults(claims: readonly NamespaceClaim[], place: FaultContext): Fault[] {
  const limits = claims.flatMap(({ createNamespace, config, base }) =>
    createNamespace ? limitFaults(config, base) : [],
  );
  return [...settingFaults(claims, place), ...onlyFaults(claims), ...limits];
}

/** Faults for namespaces that something else creates, besides the one that has to be the only one. */
function onlyFaults(claims: readonly NamespaceClaim[]): Fault[] {
  const makers = claims.filter(({ createNamespace }) => createNamespace);
  return makers
    .filter(({ isOnly }) => isOnly)
    .flatMap((only, index, all) =>
      makers
        .filter((other) => other.namespace === only.namespace && (other.server ?? "") === (only.server ?? ""))
        .filter((other) => other !== only && !(other.isOnly && all.indexOf(other) < index))
        .map((other) =>
          mismatch(
            other.isOnly ? other.base : [...other.base, "createNamespace"],
            `the namespace ${other.namespace}`,
            other.isOnly
              ? `another one, because it is that of ${renderPath(only.base)}`
              : `false, because ${renderPath(only.base)} creates it`,
          ),
        ),
    );
}

function settingFaults(claims: readonly NamespaceClaim[], place: FaultContext): Fault[] {
  const first = new Map<string, { readonly path: Path; readonly value: unknown }>();
  return claims.flatMap(({ base, createNamespace, server = "", namespace, config }) =>
    NAMESPACE_KEYS.flatMap((key) => {
      const value = config[key];
      const path = [...base, key];
      if (value === undefined) return [];
      if (!createNamespace) {
        // Values inherited from a bundle class are not specific to this namespace.
        if (valueAt(place.root, path) === undefined) return [];
        const expected = "nothing, because the platform does not make this namespace";
        return mismatch(path, foundAt(place, path), expected, "set createNamespace: true");
      }
      const id = JSON.stringify([server, namespace, key]);
      const other = first.get(id);
      if (other === undefined) first.set(id, { path, value });
      if (other === undefined || isDeepStrictEqual(other.value, value)) return [];
      return mismatch(path, foundAt(place, path), `the same as at ${renderPath(other.path)}, about the same namespace`);
    }),
  );
}
