import type * as z from "zod";
import type { ChartsConfig, WantedChart } from "../charts";
import { LOCK_FILE, parseLock, type Lock } from "../lock";
import { CHART_NAMES, CHARTS, isTested, type ChartName } from "../table";
import { mismatch, type Fault } from "../../../foundation/schema/faults";
import { checkedText, matching, oneOf, strict } from "../../../foundation/schema/fields";
import { secret } from "../../../foundation/schema/secretValues";
import { tryParse } from "../../../foundation/schema/files";
import { foundAt } from "../../../foundation/schema/issues";
import type { Resolver } from "../../../foundation/schema/resolver";

const VERSION = /^v?\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;
const MIRROR = "an http, https or oci URL without user, password and query, or a folder";

function checkMirror(text: string): string | undefined {
  if (/^[^\n{}:]*[^\s{}:]$/.test(text)) return undefined;
  const plain = text.replace(/^oci:/, "https:");
  if (!/^https?:\/\//.test(plain) || !URL.canParse(plain)) return "";
  const { username, password, search, hash } = new URL(plain);
  return `${username}${password}${search}${hash}` === "" ? undefined : "";
}

/** Schema of the key `charts`. */
export const chartsSchema = strict("an object with mirror, username, password, lock, lockFile, versions", {
  mirror: checkedText(MIRROR, checkMirror, /^[^\n{}]+$/)
    .optional()
    .describe(
      "Mirror that replaces the repository of every upstream chart: a Helm repository (`https://…`), a registry (`oci://…`) or a folder of archives.",
    ),
  username: matching(/^[^\s:]+$/, "a user name")
    .optional()
    .describe("User name for a mirror that requires a login. Default: anonymous."),
  password: secret(matching(/^\S+$/, "a password"))
    .optional()
    .describe("Password or token of that user; a secret (`pulumi config set --secret --path charts.password`)."),
  lock: oneOf(["warn", "required"])
    .default("warn")
    .describe(
      "`warn`: a chart without a recorded digest is a warning. `required`: it is an error; use this in production.",
    ),
  lockFile: matching(/^[^\n{}]*[^\s{}]$/, "the path of a lock file")
    .default(LOCK_FILE)
    .describe("File with the recorded digests. `stackyard charts lock` writes it."),
  versions: strict(
    `an object with ${CHART_NAMES.join(", ")}`,
    Object.fromEntries(
      CHART_NAMES.map((name) => [
        name,
        matching(VERSION, `an exact version such as ${CHARTS[name].version}`)
          .optional()
          .describe(`Version of the chart. Default: ${CHARTS[name].version}, which is tested.`),
      ]),
    ) as Record<ChartName, z.ZodOptional<z.ZodString>>,
  )
    .prefault({})
    .describe("Chart versions that replace the tested ones."),
}).describe("Where upstream Helm charts come from, and how they are pinned.");

/**
 * Reads the lock file; undefined if there is none. A missing file counts as empty, because `stackyard charts lock` reads
 * the config before it writes the file.
 */
export function readLock({ files, place, faults }: Resolver, lockFile: string): Lock | undefined {
  const found = tryParse(files, lockFile, parseLock);
  if ("lock" in found) return found.lock;
  if (found.trouble === "no such file") return undefined;
  const path = ["charts", "lockFile"];
  faults.push(
    mismatch(path, `${shownFile(place, lockFile)}, ${found.trouble}`, "a lock file; stackyard charts lock writes one"),
  );
  return undefined;
}

const shownFile = (place: Resolver["place"], lockFile: string): string => {
  const found = foundAt(place, ["charts", "lockFile"]);
  return found === "nothing" ? JSON.stringify(lockFile) : found;
};

export function resolveCharts(
  { place, faults, warnings }: Resolver,
  charts: z.output<typeof chartsSchema>,
  wanted: readonly WantedChart[],
  locked: Lock | undefined,
): ChartsConfig {
  const { mirror, username, password, lock, lockFile, versions } = charts;
  for (const name of new Set(wanted.map(({ chart }) => chart))) {
    if (isTested(name, versions)) continue;
    warnings.push(
      `stackyard:charts.versions.${name}: found ${versions[name]}; only ${CHARTS[name].version} is tested with this platform`,
    );
  }
  const given = username === undefined || password === undefined ? undefined : { username, password };
  faults.push(...credentialFaults(charts));
  const base = {
    ...(mirror === undefined ? {} : { mirror }),
    ...(given === undefined ? {} : { credentials: given }),
    lockRequired: lock === "required",
    lockFile,
    wanted,
    versions,
    lock: locked?.charts ?? {},
  };
  // A stack without charts needs no lock file.
  if (locked === undefined && wanted.length > 0 && lockFile !== LOCK_FILE)
    warnings.push(
      `stackyard:charts.lockFile: found ${shownFile(place, lockFile)}, no such file; stackyard charts lock writes it`,
    );
  return base;
}

/** Username and password require each other and a mirror that is a server. */
function credentialFaults({ mirror, username, password }: z.output<typeof chartsSchema>): Fault[] {
  const faults: Fault[] = [];
  if (username !== undefined && password === undefined) {
    faults.push(mismatch(["charts", "password"], "nothing", "a password, because there is a username"));
  }
  if (password === undefined) return faults;
  if (username === undefined) {
    faults.push(mismatch(["charts", "username"], "nothing", "a user name, because there is a password"));
  }
  if (mirror === undefined || !/^(https?|oci):/.test(mirror)) {
    faults.push(mismatch(["charts", "password"], "one", "a mirror with an http, https or oci URL beside it"));
  }
  return faults;
}
