/** Applies a {@link DeploymentConfig} to a Deployment of an operator, as OLM v1 does. */

import { isDeepStrictEqual } from "node:util";
import { listAt, objectAt, without, type KubeObject } from "../../../../kubernetes/objects/objects";
import type { DeploymentConfig } from "./read";
import { isObject, type Json } from "../../../../foundation/json/isObject";

export function configured(deployment: KubeObject, config: DeploymentConfig): KubeObject {
  const spec = objectAt(deployment, "spec");
  const template = objectAt(spec, "template");
  const metadata = objectAt(template, "metadata");
  const { annotations } = config;
  const hasAnnotations = Object.keys(annotations).length > 0;
  const mine = deployment.metadata.annotations;
  return {
    ...deployment,
    // The operator's own annotations take precedence.
    metadata: { ...deployment.metadata, ...(hasAnnotations && { annotations: { ...annotations, ...mine } }) },
    spec: {
      ...spec,
      template: {
        ...template,
        metadata: { ...metadata, annotations: { ...annotations, ...objectAt(metadata, "annotations") } },
        spec: pods(objectAt(template, "spec"), config),
      },
    },
  };
}

function pods(spec: Json, config: DeploymentConfig): Json {
  const { volumes, tolerations, nodeSelector, affinity } = config;
  const placed: Json = {
    ...spec,
    containers: listAt(spec, "containers").map((container) => withContainerConfig(container, config)),
    ...(volumes.length > 0 && { volumes: byName(listAt(spec, "volumes"), volumes) }),
    ...(tolerations.length > 0 && { tolerations: added(listAt(spec, "tolerations"), tolerations) }),
    ...(nodeSelector && { nodeSelector }),
  };
  return affinity === undefined ? placed : withAffinity(placed, affinity);
}

/** Applied to containers, but not to init containers. */
function withContainerConfig(container: Json, { env, envFrom, volumeMounts, resources }: DeploymentConfig): Json {
  return {
    ...container,
    ...(env.length > 0 && { env: byName(listAt(container, "env"), env) }),
    ...(envFrom.length > 0 && { envFrom: added(listAt(container, "envFrom"), envFrom) }),
    ...(volumeMounts.length > 0 && { volumeMounts: byName(listAt(container, "volumeMounts"), volumeMounts) }),
    ...(resources && { resources }),
  };
}

/** Replaces items with the same name; others are appended. If a name occurs twice, the last item wins. */
function byName(there: readonly Json[], more: readonly Json[]): Json[] {
  const all = [...there];
  const places = new Map(there.map(({ name }, index) => [name, index]));
  for (const one of more) {
    const place = places.get(one["name"]);
    if (place === undefined) all.push(one);
    else all[place] = one;
  }
  return all;
}

const added = (there: readonly Json[], more: readonly Json[]): Json[] => {
  const all = [...there];
  for (const one of more) if (!all.some((other) => isDeepStrictEqual(other, one))) all.push(one);
  return all;
};

const PARTS = ["nodeAffinity", "podAffinity", "podAntiAffinity"];

/** An empty affinity removes all of it, an empty part removes that part; parts that are not set stay. */
function withAffinity(spec: Json, affinity: Json): Json {
  const named = PARTS.filter((key) => isObject(affinity[key]));
  const before = objectAt(spec, "affinity");
  const next = PARTS.flatMap((key) => {
    const part = named.includes(key) ? affinity[key] : before[key];
    return isObject(part) && !isEmpty(part) ? [[key, part]] : [];
  });
  const rest = without(spec, "affinity");
  return named.length === 0 || next.length === 0 ? rest : { ...rest, affinity: Object.fromEntries(next) as Json };
}

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

const isEmpty = (part: Json): boolean =>
  listAt(part, PREFERRED).length === 0 &&
  listAt(part, REQUIRED).length === 0 &&
  listAt(objectAt(part, REQUIRED), "nodeSelectorTerms").length === 0;
