import { requestDigest } from "../../../components/runtime/record/requestDigest";
import { Failure, UsageError } from "../../../foundation/errors";
import { applyChange, missingFlags, type RuntimeChange, type RuntimeConfig } from "../../stack/change";
import { exportedState } from "../../stack/exported";
import { StackFile } from "../../stack/file";
import { RUNTIME_PROJECT } from "../../stack/names";
import { unwrapSecrets, type StackState } from "../../pulumi/state/checkpoint";
import { withStore } from "../../pulumi/state/store";
import type { RuntimeOptions } from "../operate";
import { isWrittenFor, readRuntimeConfig } from "../project";
import { isSecretRecord, presentIn } from "./recorded";
import { configOf, differencesBetween, fieldsOf, withoutAnnotations } from "./requests";

/** Whether the runtime must already exist. */
export type Existing = "must-exist" | "may-be-new";

/** A request built from the state and the command's changes. Nothing is written yet. */
export interface Prepared {
  /** The complete requested config. */
  readonly config: RuntimeConfig;
  /** Digest of the request in the state that this one is based on. */
  readonly base: string;
  /** The current stack file. */
  readonly file: StackFile;
  /** The stack's state; undefined if there is no stack yet. */
  readonly state: StackState | undefined;
  /** Differences of the stack file from the state. */
  readonly differences: readonly string[];
  /** The fields of a stack file that is left from a destroyed runtime and not applied. Undefined for any other file. */
  readonly left?: readonly string[];
  /** Whether the state stores the deployment as a secret, which happens only because of annotations. */
  readonly secret: boolean;
}

/**
 * Builds the request of a command. The state is authoritative: a field that the command does not set keeps its value in
 * the state, whatever the stack file of this checkout contains, unless `fromFile` applies the file. A new runtime gets
 * what a user wrote into its file, and nothing of a file that is left from a destroyed one. Throws if the runtime does
 * not exist or a required field is missing.
 */
export async function prepare(
  id: string,
  change: RuntimeChange,
  options: RuntimeOptions,
  existing: Existing,
): Promise<Prepared> {
  const [found, file] = await Promise.all([
    withStore(options.runtimes, (store) => store.find(RUNTIME_PROJECT, id)),
    StackFile.read(options.runtimes.folder, id),
  ]);
  const secret = found !== undefined && isSecretRecord(found);
  const state = secret ? await exportedState(id, options.runtimes, unwrapSecrets) : found;
  const present = state && presentIn(state);
  if (existing === "must-exist" && present === undefined) {
    throw new Failure(`there is no runtime ${id}; "stackyard runtime list" shows those that exist`);
  }
  // After a failed move, commands must still work on the runtime where it is.
  const record = existing === "must-exist" ? present?.record : present?.latest;
  if (existing === "must-exist" && record === undefined && !file.exists) {
    throw new Failure(
      `the state of ${id} was written by an older version and does not contain the request, and ${file.file} does not exist; ` +
        `run once: stackyard runtime up ${id} --slots N --version TAG …, with everything that it has`,
    );
  }
  const recorded = record === undefined ? undefined : configOf(record, id);
  const inFile = readRuntimeConfig(file);
  // Encrypted values in the file can't be compared, and secrets in the state must not be shown.
  const open = secret ? withoutAnnotations : (config: RuntimeConfig) => config;
  const differences = recorded && file.exists ? differencesBetween(open(inFile), open(recorded), id) : [];
  const fromFile = options.fromFile === true && file.exists;
  const isLeft = present === undefined && !fromFile && isWrittenFor(file, id);
  const before = fromFile ? inFile : (recorded ?? (isLeft ? {} : inFile));
  const config = applyChange(before, change, options.defaultPlatform);
  const missing = missingFlags(config);
  if (missing.length > 0) {
    const ofFile = isLeft ? `. ${file.file} is left from a destroyed runtime and applied only with --from-file` : "";
    throw new UsageError(
      `${id} is new, so ${missing.join(" and ")} must be given: the image tag to run, such as --version 0.50.0${ofFile}`,
    );
  }
  const sealed = secret && options.fromFile !== true;
  const left = isLeft && { left: fieldsOf(inFile) };
  return { config, base: requestDigest(present?.latest), file, state, differences, ...left, secret: sealed };
}
