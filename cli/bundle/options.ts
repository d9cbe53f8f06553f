import { FORMAT_NAMES } from "../../foundation/bundleFormats";
import type { OutputOptions } from "../options/output";
import type { ClusterOptions } from "./cluster/cluster";
import type { KubectlOptions } from "./cluster/kubectl";

export interface SourceOptions {
  readonly file?: string;
  readonly directory?: string;
  /** Use http for remote registries, too. */
  readonly plainHttp?: boolean;
  /** Default: the detected format. */
  readonly format?: string;
  /** File with additional CA certificates. */
  readonly caFile?: string;
  readonly insecureSkipTlsVerify?: boolean;
  /** Paths of files. */
  readonly values?: readonly string[];
  /** Kubernetes version to assume without a cluster. */
  readonly kubeVersion?: string;
  readonly apiVersions?: readonly string[];
}

/** Target of a bundle without a cluster. */
export type TargetOptions = { readonly name?: string; readonly namespace?: string };
export type BuildOptions = SourceOptions & TargetOptions & { readonly output?: string };
export type PushOptions = Omit<SourceOptions, "file"> & TargetOptions;

export type InspectOptions = SourceOptions &
  TargetOptions & { readonly json?: boolean; /** Only what it requests. */ readonly effects?: boolean };
export type RenderOptions = SourceOptions & ClusterOptions & TargetOptions & { readonly json?: boolean };
export type VerifyOptions = SourceOptions &
  ClusterOptions &
  TargetOptions & {
    readonly digest?: string;
    /** User who will apply the bundle, if it is another one. */
    readonly as?: string;
    /** Names of CRD checks to allow. */
    readonly allow?: readonly string[];
  };

export type BundleListOptions = KubectlOptions & OutputOptions & { readonly allNamespaces?: boolean };
export type BundleShowOptions = KubectlOptions & OutputOptions;
export type HistoryOptions = BundleShowOptions;
export type DiffOptions = KubectlOptions & SourceOptions;
export type DecideOptions = KubectlOptions &
  SourceOptions & {
    readonly digest?: string;
    /** Id of a request, see requestId(). */
    readonly request?: string;
    readonly reason?: string;
    readonly yes?: boolean;
    /** Users to confine to the content. */
    readonly confine?: readonly string[];
  };
export const FORMAT = `format of the content, one of ${FORMAT_NAMES.join(", ")}; default: what it looks like`;
export const VALUES = "a file of values, for formats that take them; may be given several times";
