import * as z from "zod";
import { isObject } from "../../../foundation/json/isObject";
import { mismatch } from "../../../foundation/schema/faults";
import { tryRead } from "../../../foundation/schema/files";
import { isPostgresUrl } from "../../../foundation/schema/urls";
import type { DecodeContext, Parse } from "../../contract/decoding";
import type { Read } from "../../feature";
import type { SlotSize } from "../../runtime/size";
import type { ProvisionerConfig } from "../../runtime/types/provisionerType";
import { typeOf, type ProvisionerInput, provisionerSchema, typeNamed } from "../../runtime/types/registry";
import { crossChecks } from "./crossChecks";
import { defaultSchema, provisionerName, provisionersSchema, type provisionerKeys } from "./schema";

/**
 * Parses each provisioner separately, so that a fault in one does not hide faults in others. The valid part of a
 * provisioner with faults is returned too, so that its files are checked.
 */
function parseProvisioners(value: unknown, parse: Parse): Record<string, ProvisionerInput> {
  if (!isObject(value)) {
    parse(provisionersSchema, ["provisioners"], value);
    return {};
  }
  const result: [string, ProvisionerInput][] = [];
  for (const [name, entry] of Object.entries(value)) {
    parse(z.record(provisionerName, z.unknown()), ["provisioners"], { [name]: entry });
    const input = parse(provisionerSchema, ["provisioners", name], entry) ?? salvage(entry);
    if (input !== undefined) result.push([name, input]);
  }
  return Object.fromEntries(result);
}

/** A provisioner without its invalid fields; undefined if its type can't do without them. */
function salvage(entry: unknown): ProvisionerInput | undefined {
  const type = isObject(entry) ? typeNamed(entry["type"]) : undefined;
  if (!isObject(entry) || !isObject(entry["spec"]) || type?.standIns === undefined) return undefined;
  const issues = provisionerSchema.safeParse(entry).error?.issues ?? [];
  const wrong = new Set<PropertyKey>();
  for (const issue of issues) {
    const [first, field] = issue.path;
    if (first === "spec" && field !== undefined) wrong.add(field);
    if (first === "spec" && field === undefined && issue.code === "unrecognized_keys")
      issue.keys.forEach((key) => wrong.add(key));
  }
  const right = Object.entries(entry["spec"]).filter(([field]) => !wrong.has(field));
  const result = provisionerSchema.safeParse({
    type: type.type,
    spec: { ...type.standIns, ...Object.fromEntries(right) },
  });
  return result.data;
}

/** The provisioner set of a platform, and what its provisioners have in common. */
export interface ProvisionersPart {
  /** Provisioners by name. */
  readonly provisioners: Readonly<Record<string, ProvisionerConfig>>;
  readonly defaultProvisioner: string;
  /** Provisioners that may be removed although deployments use them. */
  readonly allowRemoval: readonly string[];
  /** Default provisioner of each environment, by environment name. */
  readonly environments: Readonly<Record<string, string>>;
  readonly slot: SlotSize;
  /** PostgreSQL URL; a secret. Not set if no provisioner is static. */
  readonly ledgerUrl?: string;
}

/** Takes the place of a key with faults. */
const NO_SLOT: SlotSize = { cpu: 1, memoryGb: 1, diskGb: 1 };

export function decodeProvisioners(read: Read<typeof provisionerKeys>, context: DecodeContext): ProvisionersPart {
  const { root } = context.place;
  const mayHaveNone = context.isPartial || context.offers.cluster.isGiven;
  const hasNone = mayHaveNone && root["provisioners"] === undefined && root["defaultProvisioner"] === undefined;
  const provisioners = hasNone ? {} : parseProvisioners(root["provisioners"], context.parse);
  const defaultProvisioner = hasNone
    ? ""
    : context.parse(defaultSchema, ["defaultProvisioner"], root["defaultProvisioner"]);
  const environments = read("environments") ?? {};
  const ledger = read("ledger");
  const pieces = {
    provisionerNames: new Set(isObject(root["provisioners"]) ? Object.keys(root["provisioners"]) : []),
    clusterGiven: context.offers.cluster.isGiven,
    provisioners,
    defaultProvisioner,
    environments,
  };
  context.faults.push(...crossChecks(pieces, context.place));
  const decoded = decodeAll(provisioners, context);
  const ledgerUrl = ledgerOf(decoded, ledger, context);
  return {
    provisioners: decoded,
    defaultProvisioner: defaultProvisioner ?? "",
    allowRemoval: read("allowRemoval") ?? [],
    environments: Object.fromEntries(Object.entries(environments).map(([name, entry]) => [name, entry.provisioner])),
    slot: read("slot") ?? NO_SLOT,
    ...(ledgerUrl !== undefined && { ledgerUrl }),
  };
}

function decodeAll(
  provisioners: Readonly<Record<string, ProvisionerInput>>,
  context: DecodeContext,
): Record<string, ProvisionerConfig> {
  const decoded = Object.entries(provisioners).flatMap(([name, input]) => {
    const one = typeOf(input).decode(context, ["provisioners", name, "spec"], input);
    return one === undefined ? [] : [[name, one] as const];
  });
  return Object.fromEntries(decoded);
}

/** File in which the local yard stores the URL of its ledger. */
export const YARD_LEDGER = ".yard/ledger-url";

/** The configured URL, or else that of the local yard; undefined if no provisioner has a pool. */
function ledgerOf(
  provisioners: ProvisionersPart["provisioners"],
  ledger: string | undefined,
  { files, place, faults }: DecodeContext,
): string | undefined {
  const path = ["ledger"];
  const users = Object.keys(provisioners).filter((name) => provisioners[name]?.hosts !== undefined);
  if (users.length === 0) return undefined;
  if (ledger !== undefined || place.root["ledger"] !== undefined) return ledger;
  const read = tryRead(files, YARD_LEDGER);
  const url = "bytes" in read ? read.bytes.toString("utf8").trim() : undefined;
  if (url !== undefined && isPostgresUrl(url)) return url;
  const file = url === undefined ? `no file ${YARD_LEDGER}` : `no PostgreSQL URL in ${YARD_LEDGER}`;
  const expected = `a PostgreSQL URL, because of the static provisioner ${users.join(", ")}`;
  const hint = "start the local yard (make up) or set it with: pulumi config set --secret ledger";
  faults.push(mismatch(path, `nothing, and ${file}`, expected, hint));
  return undefined;
}
