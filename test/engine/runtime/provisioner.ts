/** A provisioner of type kubernetes in the platform's own cluster, whose runtimes are asked nothing when they are up. */
export const kubernetesProvisioner = (namespace: string, more: object = {}): object => ({
  type: "kubernetes",
  spec: {
    namespace,
    createNamespace: true,
    host: `http://*.${namespace}.localhost`,
    image: "example/runtime",
    timeoutSeconds: 20,
    ping: "off",
    ...more,
  },
});
