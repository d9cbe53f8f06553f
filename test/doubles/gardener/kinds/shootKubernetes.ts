/** `spec.kubernetes` of a Shoot. */

import { anything, flag, listOf, mapOf, object, ruled, text, whole, type Schema } from "./blocks";

const minor = (version: string): string => `int(${version}.split('.')[1])`;
const patch = (version: string): string => `int(${version}.split('.')[2])`;

/** Upgrades are possible to the next minor version at most, and downgrades are not. */
const version: Schema = ruled(
  { type: "string", pattern: "^[0-9]+\\.[0-9]+\\.[0-9]+$", maxLength: 20 },
  {
    rule: `${minor("self")} > ${minor("oldSelf")} || (${minor("self")} == ${minor("oldSelf")} && ${patch("self")} >= ${patch("oldSelf")})`,
    message: "kubernetes version downgrade is not supported",
  },
  {
    rule: `${minor("self")} <= ${minor("oldSelf")} + 1`,
    message: "kubernetes version upgrade cannot skip a minor version",
  },
);

export const kubernetes: Schema = object(
  {
    clusterAutoscaler: anything,
    etcd: anything,
    kubeAPIServer: object({
      admissionPlugins: listOf(anything),
      apiAudiences: listOf(text),
      auditConfig: object({
        auditPolicy: object({
          configMapRef: object({ name: text, namespace: text, resourceVersion: text, uid: text }),
        }),
      }),
      defaultNotReadyTolerationSeconds: whole,
      defaultUnreachableTolerationSeconds: whole,
      enableAnonymousAuthentication: flag,
      encryptionConfig: anything,
      eventTTL: text,
      featureGates: mapOf(flag),
      logging: anything,
      requests: anything,
      runtimeConfig: mapOf(flag),
      serviceAccountConfig: anything,
      structuredAuthentication: object({ configMapName: text }, ["configMapName"]),
      structuredAuthorization: anything,
      watchCacheSizes: anything,
    }),
    kubeControllerManager: anything,
    kubeProxy: object({ enabled: flag, mode: text, featureGates: mapOf(flag) }),
    kubeScheduler: anything,
    kubelet: anything,
    version,
    verticalPodAutoscaler: anything,
  },
  ["version"],
);
