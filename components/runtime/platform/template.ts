/** A file of Go templates of the user's that others call, and that renders no object of its own. */
export interface HelperFile {
  /** File as the config names it, for error messages. */
  readonly file: string;
  readonly text: string;
}

/** One Go template of the user's: where it came from and what it says. */
export interface Template {
  /** Key in the config: statefulset, deployment, pvc, service, http_ingress, grpc_ingress. */
  readonly key: string;
  /** File as the config names it, for error messages. */
  readonly file: string;
  /** The template text. */
  readonly text: string;
}
