import type { ChartLock } from "./lock";
import type { ChartName, ChartVersions } from "./table";

/** A chart that a configured component installs. */
export interface WantedChart {
  readonly chart: ChartName;
  /** Config key of the component. */
  readonly component: string;
  /** Name of the component's class, which its resources in the state are identified by. */
  readonly token: string;
  /** Whether to skip it if its chart can't be fetched. */
  readonly optional: boolean;
}

/** Which charts come from where. */
export interface Mirror {
  /** HTTP(S) or `oci://` URL, or a folder. Default: every chart's own repository. */
  readonly mirror?: string;
  /** For a mirror that asks who is there. */
  readonly credentials?: Credentials;
  /** Which versions, where they are not the tested ones. */
  readonly versions?: ChartVersions;
}

export interface Credentials {
  readonly username: string;
  /** A secret; it is sent to the mirror and, where that is a registry, to whom it names for tokens. */
  readonly password: string;
}

/** Where charts come from, and which are needed. */
export interface ChartsConfig extends Mirror {
  /** Whether a chart without a digest in the lock file is refused; else it is only reported. */
  readonly lockRequired: boolean;
  /** What the lock file says. */
  readonly lock: ChartLock;
  /** Name of the lock file, for messages. */
  readonly lockFile: string;
  readonly wanted: readonly WantedChart[];
}

/** CustomResourceDefinitions of a chart, as a bundle. */
export interface ChartCrds {
  /** Folder of the bundle, relative to the project's. */
  readonly path: string;
  /** Names of the definitions. */
  readonly names: readonly string[];
}

/** The charts that are here, verified. */
export interface Charts {
  /** Definitions of charts whose releases omit them. */
  readonly crds?: Readonly<Partial<Record<ChartName, ChartCrds>>>;
  /** Each chart as it is installed, relative to the project's folder, so that it is the same path on every machine. */
  readonly archives: Readonly<Partial<Record<ChartName, string>>>;
}

/** Arguments of a Helm release that name its chart. */
export interface ChartSource {
  readonly chart: string;
}

/** What a Helm release of this chart is made from: the verified archive. */
export function chartSource(name: ChartName, charts: Charts): ChartSource {
  const chart = charts.archives[name];
  if (chart === undefined) throw new Error(`The chart ${name} was not fetched: no configured component needs it.`);
  return { chart };
}
