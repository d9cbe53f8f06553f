import { getClusterVersions } from "@pulumi/aws/eks";
import type { Provider } from "@pulumi/aws/provider";
import * as pulumi from "@pulumi/pulumi";
import { messageOf } from "../../../foundation/errors";
import type { EksConfig } from "../../cluster/onEks/eksConfig";
import { minorOf } from "../changes";

/** What EKS says about the support of a minor version. Dates are texts of ISO 8601. */
interface Support {
  readonly versionStatus: string;
  readonly endOfStandardSupportDate: string;
  readonly endOfExtendedSupportDate: string;
}

/** In USD per hour and cluster. Source: the pricing page of Amazon EKS. */
const PRICE = { standard: 0.1, extended: 0.6 } as const;
const HOURS_A_MONTH = 730;

const day = (date: string): string => date.slice(0, 10);

/** What a version costs once its standard support has ended; a fault if EKS takes it only with extended support. Pure. */
export function judgeSupport(
  support: Support | undefined,
  { version, supportType }: Pick<EksConfig, "version" | "supportType">,
  from: string | undefined,
): { readonly note?: string; readonly fault?: string } {
  if (support?.versionStatus !== "EXTENDED_SUPPORT") return {};
  const more = Math.round((PRICE.extended - PRICE.standard) * HOURS_A_MONTH);
  const ended = `standard support of ${version} ended on ${day(support.endOfStandardSupportDate)}`;
  if (supportType === "extended") {
    return {
      note: `Extended support of Kubernetes ${version}: ${ended}, so EKS charges ${PRICE.extended.toFixed(2)} USD an hour for the cluster instead of ${PRICE.standard.toFixed(2)}, about ${more} USD more a month, until ${day(support.endOfExtendedSupportDate)}.`,
    };
  }
  if (from !== undefined && minorOf(from) > minorOf(version)) {
    return {
      fault: `stackyard:cluster.supportType: found "standard"; expected "extended" before a rollback to ${version}: ${ended}. It costs about ${more} USD more a month`,
    };
  }
  return {
    note: `Kubernetes ${version} is old: ${ended}, and EKS upgrades the cluster by itself. Take a newer version, or supportType: extended, which costs about ${more} USD more a month.`,
  };
}

/** Names the price of extended support, where the version is new to the cluster or the config asks for that support. */
export async function checkSupport(config: EksConfig, from: string | undefined, provider: Provider): Promise<void> {
  if (config.version === from && config.supportType === "standard") return;
  let support: Support | undefined;
  try {
    const { clusterVersions } = await getClusterVersions({ clusterVersionsOnlies: [config.version] }, { provider });
    support = clusterVersions.find(({ clusterVersion }) => clusterVersion === config.version);
  } catch (error) {
    return pulumi.log.debug(`How long ${config.version} is supported is not known: ${messageOf(error)}`);
  }
  const { note, fault } = judgeSupport(support, config, from);
  if (note !== undefined) await pulumi.log.warn(note);
  if (fault !== undefined) throw new pulumi.RunError(`${fault}.\nNothing was changed.`);
}
