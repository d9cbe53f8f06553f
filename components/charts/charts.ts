import type { ChartLock } from "./lock";
import type { ChartName, ChartVersions } from "./table";

/** A chart that a configured component installs. */
export interface WantedChart {
  readonly chart: ChartName;
  /** Config key of the component. */
  readonly component: string;
  /** Name of the component's class, which identifies its resources in the state. */
  readonly token: string;
  /** Whether the component is skipped if its chart can't be fetched. */
  readonly optional: boolean;
}

/** Source and versions of the charts. */
export interface Mirror {
  /** HTTP(S) or `oci://` URL, or a folder. Default: every chart's own repository. */
  readonly mirror?: string;
  /** Credentials for the mirror. */
  readonly credentials?: Credentials;
  /** Versions that differ from the tested ones. */
  readonly versions?: ChartVersions;
}

export interface Credentials {
  readonly username: string;
  /** A secret. Sent only to the mirror and, for a registry, to its token server. */
  readonly password: string;
}

/** Sources of charts, and the charts that are needed. */
export interface ChartsConfig extends Mirror {
  /** Whether a chart without a digest in the lock file is an error; otherwise it is a warning. */
  readonly lockRequired: boolean;
  /** Content of the lock file. */
  readonly lock: ChartLock;
  /** Name of the lock file, for messages. */
  readonly lockFile: string;
  readonly wanted: readonly WantedChart[];
}

/** The CustomResourceDefinitions of a chart, as a bundle. */
export interface ChartCrds {
  /** Folder of the bundle, relative to the project folder. */
  readonly path: string;
  /** Names of the CustomResourceDefinitions. */
  readonly names: readonly string[];
}

/** Charts that were fetched and verified. */
export interface Charts {
  /** CustomResourceDefinitions of charts whose releases do not manage them. */
  readonly crds?: Readonly<Partial<Record<ChartName, ChartCrds>>>;
  /** Paths of the archives, relative to the project folder so that they are equal on all machines. */
  readonly archives: Readonly<Partial<Record<ChartName, string>>>;
}

/** Arguments of a Helm release that name its chart. */
interface ChartSource {
  readonly chart: string;
}

/** Arguments of a Helm release that installs the verified archive of a chart. */
export function chartSource(name: ChartName, charts: Charts): ChartSource {
  const chart = charts.archives[name];
  if (chart === undefined) throw new Error(`The chart ${name} was not fetched: no configured component needs it.`);
  return { chart };
}
