import { masterLabels } from "../podConfig/names";
import type { TerasliceSettings } from "../settings";
import { mismatch, renderPath, type Fault, type Path } from "../../../foundation/schema/faults";
import { foundAt, type FaultContext } from "../../../foundation/schema/issues";
import { didYouMean } from "../../../foundation/text/nearest";
import type { TerasliceInput } from "./schema";
import { settingsSchema, terafoundationFields } from "../schema/sections";

/** Checks what the config adds to the master's pod, to pods of jobs and around them. */

const VOLUMES = ["config", "assets", "logs", "tmp"];
const CONTAINERS = ["teraslice-master", "write-config"];

/** `fault`: adds a fault at a path below the master. */
export function checkExtras(
  input: TerasliceInput,
  settings: TerasliceSettings,
  fault: (path: Path, expected: string, hint?: string) => void,
): void {
  const { master, worker } = input;
  const volumes = master.volumes.map(({ name }) => name);
  volumes.forEach((name, index) => {
    const at = ["master", "volumes", index, "name"];
    if (VOLUMES.includes(name)) fault(at, "another name, because the master has such a volume");
    else if (volumes.indexOf(name) < index) fault(at, "another name, because two volumes have this one");
  });
  const taken = ["/app/config", "/app/logs", "/tmp", settings.teraslice.assets_directory];
  master.volumeMounts.forEach(({ name, mountPath }, index) => {
    const at = ["master", "volumeMounts", index];
    if (!volumes.includes(name)) fault([...at, "name"], `one of the volumes ${volumes.join(", ") || "that there are"}`);
    if (taken.includes(mountPath.replace(/(.)\/$/, "$1")))
      fault([...at, "mountPath"], `another path than ${taken.join(", ")}, which are taken`);
  });
  for (const key of ["initContainers", "containers"] as const) {
    master[key].forEach(({ name }, index) => {
      if (CONTAINERS.includes(name)) fault(["master", key, index, "name"], "another name, because the master has it");
    });
  }
  worker.initContainers.forEach(({ name }, index) => {
    if (CONTAINERS.includes(name)) fault(["worker", "initContainers", index, "name"], "another name, which is ours");
  });
  for (const label of Object.keys(master.labels)) {
    if (Object.hasOwn(masterLabels(settings), label))
      fault(["master", "labels", label], "another label, because the master is found by this one");
  }
  if (input.rbac === "original" && Object.keys(master.serviceAccount.annotations).length > 0) {
    fault(["master", "serviceAccount"], "none, because with rbac: original the master has no account of its own");
  }
  if (input.priorityClass && input.settings.kubernetes_priority_class_name !== undefined) {
    fault(["priorityClass"], "none, because settings.kubernetes_priority_class_name names an existing one");
  }
  if (input.serviceMonitor && !settings.terafoundation.prom_metrics_enabled) {
    fault(["serviceMonitor"], "none, because the master serves no metrics", "set terafoundation.prom_metrics_enabled");
  }
}

/** Settings that the master or this platform uses to create pods. They must be equal for master and jobs. */
const SHARED =
  /^(name|state|port|master.*|assets_(volume|directory)|cluster_manager_type|(cpu|memory)(_.*)?|env_vars|kubernetes_.*|ephemeral_storage|execution_controller_targets|shutdown_timeout|connectors|prom_metrics_.*)$/;

const KNOWN = {
  settings: settingsSchema.shape as Readonly<Record<string, { safeParse(value: unknown): Parsed }>>,
  terafoundation: terafoundationFields as Readonly<Record<string, { safeParse(value: unknown): Parsed }>>,
} as const;

type Parsed = {
  readonly success: boolean;
  readonly error?: { readonly issues: readonly { readonly message: string }[] };
};

/** Faults in settings that apply only to the master or only to pods of jobs. */
export function sectionFaults(input: TerasliceInput, place: FaultContext, base: Path): Fault[] {
  return sectionsOf(input).flatMap(({ path, section, values }) =>
    Object.entries(values).flatMap(([key, value]): Fault[] => {
      const at = [...base, ...path, key];
      if (SHARED.test(key)) {
        return [mismatch(at, foundAt(place, at), `none, because master and jobs share it`, `set ${section}.${key}`)];
      }
      const parsed = KNOWN[section][key]?.safeParse(value);
      if (parsed === undefined || parsed.success) return [];
      return [mismatch(at, foundAt(place, at), parsed.error?.issues[0]?.message ?? "another value")];
    }),
  );
}

function sectionsOf({ master, worker }: TerasliceInput) {
  const pods = { master, worker };
  return (["master", "worker"] as const).flatMap((role) =>
    (["settings", "terafoundation"] as const).map((section) => ({
      path: [role, section],
      section,
      values: pods[role][section],
    })),
  );
}

/** Formats warnings about paths below `base`. */
export const warningBelow =
  (base: Path) =>
  (path: Path, found: string, expected: string, hint?: string): string => {
    const fault = mismatch([...base, ...path], found, expected, hint);
    return `stackyard:${renderPath(fault.path)}: ${fault.message}`;
  };

/** Warnings about probable mistakes, one per line with its path. */
export function extraWarnings(input: TerasliceInput, base: Path): readonly string[] {
  const line = warningBelow(base);
  const unknown = sectionsOf(input).flatMap(({ path, section, values }) =>
    Object.keys(values)
      .filter((key) => !Object.hasOwn(KNOWN[section], key) && !SHARED.test(key))
      .map((key) => {
        const nearest = didYouMean(key, Object.keys(KNOWN[section]));
        return line([...path, key], "an unknown key, which is handed on", "a key that Teraslice documents", nearest);
      }),
  );
  const { enabled, clientNamespaces, clientCidrs } = input.networkPolicy;
  const isShut = enabled && clientNamespaces.length === 0 && clientCidrs.length === 0;
  const ways = (["ingress", "httpRoute"] as const).filter((key) => isShut && input[key] !== undefined);
  return [
    ...unknown,
    ...ways.map((key) =>
      line([key], "a way to the API that the network policy shuts", "who serves it among the clients", CLIENTS),
    ),
  ];
}

const CLIENTS = "add the namespace of its controller to networkPolicy.clientNamespaces";
