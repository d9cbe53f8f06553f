/** Implements `aws eks get-token` for programs that call it: kubectl and the Kubernetes provider. */

import { eksToken, eksTokenRequest } from "../../kubernetes/access/eksToken";

/**
 * Prints an ExecCredential, which is a secret, on standard output. Exit code 2 for any other command of the aws CLI, 1
 * if there is no token.
 */
export async function printToken(args: readonly string[]): Promise<void> {
  const request = eksTokenRequest("aws", args);
  if (!request) {
    process.stderr.write(
      "aws: the aws CLI is not installed; Stackyard replaces it, and supports only " +
        "eks get-token --cluster-name NAME [--region REGION] [--role-arn ARN] [--profile PROFILE]\n",
    );
    process.exitCode = 2;
    return;
  }
  try {
    const { token, expires } = await eksToken(request);
    const expirationTimestamp = new Date(expires).toISOString().replace(/\.\d+Z$/, "Z");
    const status = { token, expirationTimestamp };
    const apiVersion = process.env["KUBERNETES_EXEC_INFO"]?.includes("v1beta1")
      ? "client.authentication.k8s.io/v1beta1"
      : "client.authentication.k8s.io/v1";
    process.stdout.write(`${JSON.stringify({ kind: "ExecCredential", apiVersion, spec: {}, status })}\n`);
  } catch (error) {
    process.stderr.write(`aws: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
