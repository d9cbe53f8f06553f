import { NGINX } from "../../../components/ingress/accounts";
import { PUBLIC_SERVICE } from "../../../components/jupyterhub/publicService";
import type { PlatformConfig } from "../../../components/platform/config/platformConfig";
import { platformConfig } from "../../../engine/stack/config";
import { structured } from "../../options/output";
import { table } from "../../terminal/table";
import { Failure, UsageError } from "../../../foundation/errors";
import type { Context } from "../../context";
import { AwsQuestions } from "../awsQuestions";
import type { EksLeftoversOptions } from "../options";
import { leftovers, type Leftover } from "./judge";
import { findLeftovers } from "./look";
import type { SearchedCluster } from "./seen";

/** Returns the cluster in a stack's config, existing or not, or the one with the given name. */
async function targetOf(
  { platforms }: Pick<Context, "platforms">,
  { stack, cluster: name, region }: EksLeftoversOptions,
): Promise<SearchedCluster> {
  if (stack === undefined) {
    if (name === undefined || region === undefined) {
      throw new UsageError("expected --stack, or --cluster and --region of a cluster whose stack is gone");
    }
    return { name, region, ownsVpc: true, ownServices: [] };
  }
  if (name !== undefined || region !== undefined) throw new UsageError("expected --stack, or --cluster and --region");
  const config = await platformConfig(platforms, stack);
  const { cluster } = config;
  if (cluster?.eks === undefined) throw new Failure(`${stack}: found no cluster on EKS; expected one`);
  return {
    name: cluster.eks.name,
    region: cluster.eks.region,
    ownsVpc: cluster.type === "eks" && cluster.eks.network.make !== undefined,
    ownServices: ownServices(config),
  };
}

/** Services of type LoadBalancer that the platform installs, and so deletes before its cluster: `namespace/name`. */
export function ownServices({ ingress, jupyterhub }: Pick<PlatformConfig, "ingress" | "jupyterhub">): string[] {
  return [
    ...(ingress?.nginx ? [`${NGINX.namespace}/${NGINX.release}-controller`] : []),
    ...(jupyterhub ? [`${jupyterhub.namespace}/${PUBLIC_SERVICE}`] : []),
  ];
}

/** Lists what a destroy leaves behind on AWS, with advice. Fails if there is anything. */
export async function eksLeftovers(context: Context, options: EksLeftoversOptions): Promise<void> {
  const target = await targetOf(context, options);
  const { name, region } = target;
  context.live.status(`  looking at ${region}`);
  const account = await findLeftovers(target, new AwsQuestions(region));
  context.live.end();
  const found = leftovers(account, target).filter(({ blocksVpc }) => blocksVpc || !options.blocking);
  const { isRunning } = account;
  const text = structured({ cluster: name, region, running: isRunning, leftovers: found }, options);
  if (text !== undefined) context.print(text);
  else if (found.length > 0) context.print(listing(found));
  const which = options.blocking ? "that keep its VPC from being deleted" : "that stay";
  if (found.length > 0) throw new Failure(`found ${found.length} resources of ${name} ${which}`);
  if (text === undefined) context.print(`found no resources of ${name} ${which}`);
}

function listing(found: readonly Leftover[]): string {
  const columns = ["KIND", "ID", "BELONGS TO", "STATE", "BLOCKS VPC"];
  const rows = found.map(({ kind, id, belongsTo, state, blocksVpc }) => [
    kind,
    id,
    belongsTo,
    state,
    blocksVpc ? "yes" : "no",
  ]);
  const steps = found.map(({ id, fix }) => `  ${id}\n    ${fix}`);
  return [table(columns, rows), "", "What to do, in this order:", ...steps].join("\n");
}
