import { isReported, kindOfType, nameOfUrn, type EngineEvent } from "./events";
import { plainMessage } from "./diagnostics";

/** A line about an operation in progress. */
interface Line {
  /** A `status` is temporary: the next one replaces it. */
  readonly kind: "line" | "status" | "warning";
  readonly text: string;
}

/** Operations to report. The engine has more; those change no resources. */
const VERBS: Readonly<Record<string, string>> = {
  create: "creating",
  "create-replacement": "creating the replacement of",
  update: "changing",
  delete: "deleting",
  "delete-replaced": "deleting the replaced",
  import: "importing",
};

/** The command itself resolves and reports this. */
const INTERRUPTED = /^Attempting to deploy or update resources with \d+ pending operations/;

/** Returns the lines for one engine event; none for most events. Errors are reported at the end. */
export function narrate({ resourcePreEvent, diagnosticEvent }: EngineEvent): Line[] {
  if (resourcePreEvent) {
    const step = resourcePreEvent.metadata;
    const verb = VERBS[step.op];
    if (verb === undefined || !isReported(step)) return [];
    const paths = step.op === "update" ? (step.diffs ?? []) : [];
    const what = paths.length > 0 ? ` (${paths.join(", ")})` : "";
    return [{ kind: "status", text: `${verb} ${kindOfType(step.type)} ${nameOfUrn(step.urn)}${what}` }];
  }
  if (!diagnosticEvent) return [];
  const text = plainMessage(diagnosticEvent.message);
  if (text === "" || INTERRUPTED.test(text)) return [];
  switch (diagnosticEvent.severity) {
    case "info":
    case "info#err":
      return [{ kind: diagnosticEvent.ephemeral === true ? "status" : "line", text }];
    case "warning":
      return [{ kind: "warning", text }];
    case "debug":
    case "error":
      return [];
  }
}
