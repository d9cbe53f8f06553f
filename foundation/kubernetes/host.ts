/** What of a pod reaches its node: for approvals of bundles, and for the policy pack. */

export const HOST_NAMESPACES = {
  hostNetwork: "the node's network",
  hostPID: "the node's processes",
  hostIPC: "the node's shared memory",
};

/** Listening on ports below 1024 accesses nothing. */
export const HARMLESS_CAPABILITIES: ReadonlySet<string> = new Set(["NET_BIND_SERVICE"]);

/** SELinux types that container runtimes assign by default. */
export const OWN_SELINUX: ReadonlySet<string> = new Set([
  "container_t",
  "container_init_t",
  "container_kvm_t",
  "container_engine_t",
]);

/** Namespaced sysctls, which only affect the pod. */
export const OWN_SYSCTL = /^(net\.|kernel\.shm_rmid_forced$)/;

/** Profiles of a security context, which `Unconfined` disables. */
export const PROFILES = { seccompProfile: "seccomp", appArmorProfile: "AppArmor" };
