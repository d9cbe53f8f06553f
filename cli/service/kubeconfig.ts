import type { Context } from "../context";
import { accessOf, ask, type AccessOptions } from "./client";
import { Failure } from "../../foundation/errors";
import type { KubeconfigOptions as Issuing } from "../runtime/kubeconfig/options";

export type KubeconfigOptions = AccessOptions & Issuing;

interface Issued {
  readonly issueRuntimeKubeconfig: { readonly kubeconfig: string; readonly expiresAt: string };
}

const ISSUE = `mutation ($id: String!, $role: KubeconfigRole!, $seconds: Int!) {
  issueRuntimeKubeconfig(id: $id, role: $role, expirationSeconds: $seconds) { kubeconfig expiresAt }
}`;

/** Prints a short-lived kubeconfig for the cluster of a deployment, issued by Gardener through the service. */
export async function kubeconfig(context: Context, id: string, options: KubeconfigOptions): Promise<void> {
  const { role, expires: seconds } = options;
  const access = accessOf(options);
  // This part of the API needs the header `tenant`, which is optional elsewhere.
  const { deployment } = await ask<{ deployment: { readonly tenant: string } | null }>(
    access,
    "query ($id: ID!) { deployment(id: $id) { tenant } }",
    { id },
  );
  if (!deployment) throw new Failure(`there is no deployment ${id}`);
  const { issueRuntimeKubeconfig: issued } = await ask<Issued>({ ...access, tenant: deployment.tenant }, ISSUE, {
    id,
    role,
    seconds,
  });
  context.print(issued.kubeconfig.trimEnd());
  context.live.line(`valid until ${issued.expiresAt}, with the role ${role}`);
}
