import { requestDigest } from "../../../components/runtime/request/requestDigest";
import { Failure, UsageError } from "../../../foundation/errors";
import { applyChange, missingFlags, type RuntimeChange, type RuntimeConfig } from "../../stack/change";
import { StackFile } from "../../stack/file";
import { RUNTIME_PROJECT } from "../../stack/names";
import type { StackState } from "../../state/checkpoint";
import { withStore } from "../../state/store";
import type { RuntimeOptions } from "../operate";
import { readConfig } from "../project";
import { isSecretRecord, presentIn } from "./recorded";
import { decryptedState } from "./secrets";
import { configOf, differencesBetween, withoutAnnotations } from "./requests";

/** Whether what is requested is a runtime that must be there already. */
export type Existing = "must-exist" | "may-be-new";

/** A request, made from what the state says and what the command changes; nothing is written yet. */
export interface Prepared {
  /** All that is requested. */
  readonly config: RuntimeConfig;
  /** Digest of the request in the state that this one was made from. */
  readonly base: string;
  /** The stack file as it is. */
  readonly file: StackFile;
  /** The stack's state; undefined if there is no stack yet. */
  readonly state: StackState | undefined;
  /** What the stack file says otherwise than the state. */
  readonly differences: readonly string[];
  /** Whether the state keeps the deployment as a secret; of its fields only annotations can be one. */
  readonly secret: boolean;
}

/**
 * What a command asks for. The state is the truth: a field that the command does not name stays as the state has it, whatever the
 * stack file of this checkout says, unless `fromFile` asks for the file's. Throws if there is no such runtime or
 * something is missing.
 */
export async function prepare(
  id: string,
  change: RuntimeChange,
  options: RuntimeOptions,
  existing: Existing,
): Promise<Prepared> {
  const [found, file] = await Promise.all([
    withStore(options.folder, (store) => store.find(RUNTIME_PROJECT, id)),
    StackFile.read(options.folder, id),
  ]);
  const secret = found !== undefined && isSecretRecord(found);
  const state = secret ? await decryptedState(id, options.folder) : found;
  const present = state && presentIn(state);
  if (existing === "must-exist" && present === undefined) {
    throw new Failure(`there is no runtime ${id}; "stackyard runtime list" shows those that exist`);
  }
  // A move that failed must not keep anybody from stopping the runtime where it still is.
  const record = existing === "must-exist" ? present?.record : present?.latest;
  if (existing === "must-exist" && record === undefined && !file.exists) {
    throw new Failure(
      `the state of ${id} was written by an older version and does not contain the request, and ${file.file} does not exist; ` +
        `run once: stackyard runtime up ${id} --slots N --version TAG …, with everything that it has`,
    );
  }
  const recorded = record === undefined ? undefined : configOf(record, id);
  const inFile = readConfig(file);
  // What is encrypted in the file can't be compared, and what is in the state must not be shown.
  const open = secret ? withoutAnnotations : (config: RuntimeConfig) => config;
  const differences = recorded && file.exists ? differencesBetween(open(inFile), open(recorded), id) : [];
  const before = options.fromFile === true && file.exists ? inFile : (recorded ?? inFile);
  const config = applyChange(before, change, options.defaultPlatform);
  const missing = missingFlags(config);
  if (missing.length > 0) {
    throw new UsageError(
      `${id} is new, so ${missing.join(" and ")} must be given: the image tag to run, such as --version 0.50.0`,
    );
  }
  const sealed = secret && options.fromFile !== true;
  return { config, base: requestDigest(present?.latest), file, state, differences, secret: sealed };
}
