import { readFile } from "node:fs/promises";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";
import { pulumi } from "../../../engine/pulumi/pulumi";
import { Failure, messageOf, UsageError } from "../../../foundation/errors";
import type { Workspace } from "../../../foundation/pulumi/backend";
import { platformReference } from "../../../engine/stack/names";

export interface ClusterOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Use the cluster of this platform stack. */
  readonly againstStack?: string;
}

/** How long to retry an unreachable cluster. */
export const PATIENCE_MS = 5_000;

/** Returns the cluster that the options select; undefined if they select none. */
export async function selectedCluster(workspace: Workspace, options: ClusterOptions): Promise<Client | undefined> {
  const { kubeconfig, context, againstStack } = options;
  if (kubeconfig !== undefined && againstStack !== undefined) {
    throw new UsageError("found --kubeconfig and --against-stack; expected one of them");
  }
  if (kubeconfig === undefined && againstStack === undefined) {
    if (context !== undefined) throw new UsageError("found --context without --kubeconfig; expected both");
    return undefined;
  }
  const text =
    againstStack === undefined ? await fileText(kubeconfig ?? "") : await stackKubeconfig(workspace, againstStack);
  try {
    return connect(text, context, { patienceMs: PATIENCE_MS });
  } catch (error) {
    throw new Failure(`${kubeconfig ?? `the stack ${againstStack}`}: ${messageOf(error)}`);
  }
}

async function fileText(file: string): Promise<string> {
  return readFile(file, "utf8").catch((cause: unknown) => {
    throw new Failure(`the kubeconfig ${file} can't be read: ${messageOf(cause)}`);
  });
}

/** The platform exports the kubeconfig as a secret. */
export async function stackKubeconfig(workspace: Workspace, stack: string): Promise<string> {
  const text = await pulumi(
    ["stack", "output", "--json", "--show-secrets", "--stack", platformReference(stack)],
    workspace,
  );
  const { kubeconfig } = JSON.parse(text) as { kubeconfig?: unknown };
  if (typeof kubeconfig === "string") return kubeconfig;
  throw new Failure(
    `the platform stack ${stack} has no kubeconfig among its outputs; run "pulumi up --stack ${stack}"`,
  );
}
