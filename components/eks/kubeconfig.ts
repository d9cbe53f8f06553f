/** A kubeconfig for an EKS cluster. Pure. */

interface Endpoint {
  readonly name: string;
  readonly region: string;
  readonly server: string;
  /** Certificate authority, base64-encoded. */
  readonly authority: string;
}

/**
 * Returns JSON, which is valid YAML. The kubeconfig contains no token: its users sign with their own AWS credentials,
 * through the aws CLI or our replacement for it.
 */
export function kubeconfigOf({ name, region, server, authority }: Endpoint): string {
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [{ name, cluster: { server, "certificate-authority-data": authority } }],
    users: [
      {
        name,
        user: {
          exec: {
            apiVersion: "client.authentication.k8s.io/v1",
            command: "aws",
            args: ["--region", region, "eks", "get-token", "--cluster-name", name, "--output", "json"],
            interactiveMode: "Never",
          },
        },
      },
    ],
  };
  return JSON.stringify(config, undefined, 2);
}
