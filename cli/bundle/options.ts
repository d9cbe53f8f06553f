import { FORMATS } from "../../components/bundle/formats";
import type { ClusterOptions } from "./cluster/cluster";
import type { KubectlOptions } from "./cluster/kubectl";

export interface SourceOptions {
  readonly file?: string;
  readonly directory?: string;
  /** Whether registries speak http also where they are not on this machine. */
  readonly plainHttp?: boolean;
  /** Default: what it looks like. */
  readonly format?: string;
  /** File with certificates of authorities that are trusted besides the usual ones. */
  readonly caFile?: string;
  readonly insecureSkipTlsVerify?: boolean;
  /** Files. */
  readonly values?: readonly string[];
  /** What to take for the cluster where none is asked. */
  readonly kubeVersion?: string;
  readonly apiVersions?: readonly string[];
}

/** For whom a bundle is read, where no cluster says it. */
export type TargetOptions = { readonly name?: string; readonly namespace?: string };
export type BuildOptions = SourceOptions & TargetOptions & { readonly output?: string };
export type PushOptions = Omit<SourceOptions, "file"> & TargetOptions;

export type InspectOptions = SourceOptions & TargetOptions & { readonly json?: boolean };
export type RenderOptions = SourceOptions & ClusterOptions & TargetOptions & { readonly json?: boolean };
export type VerifyOptions = SourceOptions &
  ClusterOptions &
  TargetOptions & {
    readonly digest?: string;
    /** Who is going to apply it, where that is another user. */
    readonly as?: string;
    /** Names of checks of CRDs that are passed over. */
    readonly allow?: readonly string[];
  };

/** For programs; `--json` is `--output json`. */
export interface OutputOptions {
  readonly json?: boolean;
  readonly output?: "json" | "yaml";
}

export type ListOptions = KubectlOptions & OutputOptions & { readonly allNamespaces?: boolean };
export type ShowOptions = KubectlOptions & OutputOptions;
export type HistoryOptions = ShowOptions;
export type DiffOptions = KubectlOptions & SourceOptions;
export type DecideOptions = KubectlOptions &
  SourceOptions & { readonly digest?: string; readonly reason?: string; readonly yes?: boolean };
export const FORMAT = `format of the content, one of ${FORMATS.join(", ")}; default: what it looks like`;
export const VALUES = "a file of values, for formats that take them; may be given several times";
