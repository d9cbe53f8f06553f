import * as z from "zod";

/** A file of Go templates with definitions for other templates. It renders no object. */
export interface HelperFile {
  /** File as the config names it, for messages. */
  readonly file: string;
  readonly text: string;
}

/** A Go template from the user, with its source. */
export interface Template {
  /** Key in the config: statefulset, deployment, pvc, service, http_ingress, grpc_ingress. */
  readonly key: string;
  /** File as the config names it, for messages. */
  readonly file: string;
  readonly text: string;
}

export const template = z.object({ key: z.string(), file: z.string(), text: z.string() });
