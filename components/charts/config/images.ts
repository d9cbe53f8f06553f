import { mirrorValues, onMirror, operatorImage } from "../images";
import { defaultImage, type NamedObject, type PodExtras } from "../../ray/clusters";
import type { TerasliceConfig } from "../../teraslice/job/settings";
import { matching, strict } from "../../../foundation/schema/fields";
import type { PlatformConfig } from "../../platform/config/platformConfig";

/** Schema of the key `images`. */
export const imagesSchema = strict("an object with mirror", {
  mirror: matching(
    /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?(\/[a-z0-9._-]+)*$/,
    "host[:port][/path], without https://",
  )
    .optional()
    .describe(
      "Registry that replaces the registry of every image: `quay.io/a/b:1` becomes `<mirror>/a/b:1`. Default: the upstream registries.",
    ),
}).describe("Where container images come from.");

/** Returns the config with every image on the mirror, both configured and default ones. */
export function withMirror(config: PlatformConfig): PlatformConfig {
  const { mirror } = config.images;
  if (mirror === undefined) return config;
  const { versions } = config.charts;
  const mirrored = <T extends { readonly image?: string }>(one: T): T =>
    one.image === undefined ? one : { ...one, image: onMirror(one.image, mirror) };
  const container = (one: NamedObject): NamedObject => {
    const { image } = one;
    return typeof image === "string" ? { ...one, image: onMirror(image, mirror) } : one;
  };
  const beside = <T extends Pick<PodExtras, "initContainers" | "containers">>(pod: T): T => ({
    ...pod,
    initContainers: pod.initContainers.map(container),
    containers: pod.containers.map(container),
  });
  const each = <T>(all: Readonly<Record<string, T>>, change: (one: T) => T): Record<string, T> =>
    Object.fromEntries(Object.entries(all).map(([name, one]) => [name, change(one)]));
  const { jupyterhub, ray, rayOperator, clusterAutoscaler, teraslice, service } = config;
  const ofMaster = (one: TerasliceConfig): TerasliceConfig => ({
    ...mirrored(one),
    master: beside(one.master),
    worker: { ...one.worker, initContainers: one.worker.initContainers.map(container) },
    teraslice: { ...one.teraslice, kubernetes_image: onMirror(one.teraslice.kubernetes_image, mirror) },
  });
  return {
    ...config,
    kubernetes: each(config.kubernetes, (one) => ({ ...one, settings: mirrored(one.settings) })),
    rayOperator: mirrored({ ...rayOperator, image: rayOperator.image ?? operatorImage(versions) }),
    ...(jupyterhub && {
      jupyterhub: {
        ...mirrored(jupyterhub),
        profiles: each(jupyterhub.profiles, mirrored),
        chartImages: mirrorValues("jupyterhub", mirror, versions),
      },
    }),
    ...(ray && {
      ray: each(ray, (one) => ({
        ...beside(mirrored({ ...one, image: one.image ?? defaultImage(one.rayVersion) })),
        head: beside(mirrored(one.head)),
        workerGroups: each(one.workerGroups, (group) => beside(mirrored(group))),
      })),
    }),
    ...(clusterAutoscaler && {
      clusterAutoscaler: {
        ...clusterAutoscaler,
        image: { ...clusterAutoscaler.image, repository: onMirror(clusterAutoscaler.image.repository, mirror) },
      },
    }),
    ...(teraslice && { teraslice: ofMaster(teraslice) }),
    ...(service && { service: mirrored(service) }),
    terasliceClusters: each(config.terasliceClusters, ofMaster),
  };
}
