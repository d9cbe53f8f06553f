import { isDeepStrictEqual } from "node:util";
import type { PlannedInstance } from "../../bundle/settings";
import { NAMESPACE_KEYS, namespaceConfig, type NamespaceConfig } from "../settings";
import type { RayClusterConfig } from "../../ray/clusters";
import type { ServiceSettings } from "../../service/settings";
import type { TerasliceSettings } from "../../teraslice/settings";
import { valueAt } from "../../../foundation/schema/describe";
import { mismatch, renderPath, type Fault, type Path } from "../../../foundation/schema/faults";
import { foundAt, type Place } from "../../../foundation/schema/issues";
import type { KubernetesConfig } from "../../platform/config/platformConfig";

/** All components that may create a namespace. */
export interface NamespaceUsers {
  readonly provisioners: Readonly<Record<string, KubernetesConfig>>;
  readonly ray: Readonly<Record<string, RayClusterConfig>>;
  readonly bundles: readonly PlannedInstance[];
  readonly teraslice: { readonly teraslice?: TerasliceSettings } & {
    readonly terasliceClusters: Readonly<Record<string, TerasliceSettings>>;
  };
  readonly service?: ServiceSettings | undefined;
}

/** What one component configures for a namespace. */
interface Claim {
  /** Path of the keys. */
  readonly base: Path;
  readonly createNamespace: boolean;
  /** Cluster and name. Equal for components that share a namespace. */
  readonly namespace: string;
  readonly config: NamespaceConfig;
}

/** Faults for keys without effect, and for components with conflicting settings of one namespace. */
export function namespaceFaults(users: NamespaceUsers, place: Place): Fault[] {
  const first = new Map<string, { readonly path: Path; readonly value: unknown }>();
  return claimsOf(users).flatMap(({ base, createNamespace, namespace, config }) =>
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
      const id = JSON.stringify([namespace, key]);
      const other = first.get(id);
      if (other === undefined) first.set(id, { path, value });
      if (other === undefined || isDeepStrictEqual(other.value, value)) return [];
      return mismatch(path, foundAt(place, path), `the same as at ${renderPath(other.path)}, about the same namespace`);
    }),
  );
}

function claimsOf({ provisioners, ray, bundles, teraslice, service }: NamespaceUsers): Claim[] {
  const terasliceMasters = [
    ...(teraslice.teraslice ? [[["teraslice"], teraslice.teraslice] as const] : []),
    ...Object.entries(teraslice.terasliceClusters).map(([name, one]) => [["terasliceClusters", name], one] as const),
  ];
  const here = (name: string, server = ""): string => JSON.stringify([server, name]);
  return [
    ...Object.entries(provisioners).map(([name, { access, createNamespace, namespace: config, settings }]) => ({
      base: ["provisioners", name, "spec"],
      createNamespace,
      namespace: here(settings.namespace, access?.server),
      config,
    })),
    ...Object.entries(ray).map(([name, config]) => ({
      base: ["ray", name],
      createNamespace: config.createNamespace,
      namespace: here(config.namespace),
      config: namespaceConfig(config),
    })),
    ...bundles.map(({ name, settings: { createNamespace, namespace, access, protection } }) => ({
      base: ["instances", name],
      createNamespace,
      namespace: here(namespace, access?.server),
      config: protection,
    })),
    ...terasliceMasters.map(([base, master]) => ({
      base,
      createNamespace: master.createNamespace,
      namespace: here(master.teraslice.kubernetes_namespace),
      config: master.protection,
    })),
    ...(service
      ? [
          {
            base: ["service"],
            createNamespace: service.createNamespace,
            namespace: here(service.namespace),
            config: service.protection,
          },
        ]
      : []),
  ];
}
