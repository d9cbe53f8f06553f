import { mismatch, renderPath, type Path } from "../../../foundation/schema/faults";
import { didYouMean } from "../../../foundation/text/nearest";
import { CONNECTION_KEYS } from "./connectors";
import type { TerasliceInput } from "./schema";
import { settingsSchema, terafoundationFields } from "./settings";

/** Settings that are derived from the rest of the config and can't be set. */
const DERIVED = ["master", "master_hostname"];

/**
 * Warnings about unknown keys in the two Teraslice sections, with the nearest known key. They are passed to the master,
 * which may be newer than this schema.
 */
export function unknownSettings({ settings, terafoundation }: TerasliceInput, base: Path): readonly string[] {
  const line = (path: Path, found: string, expected: string, hint?: string): string => {
    const fault = mismatch([...base, ...path], found, expected, hint);
    return `stackyard:${renderPath(fault.path)}: ${fault.message}`;
  };
  const unknown = (path: Path, section: object, known: readonly string[]): string[] =>
    Object.keys(section)
      .filter((key) => !known.includes(key))
      .map((key) => line([...path, key], UNKNOWN, "a key that Teraslice documents", didYouMean(key, known)));
  const { connectors } = terafoundation;
  const types = Object.keys(CONNECTION_KEYS);
  return [
    ...DERIVED.filter((key) => Object.hasOwn(settings, key)).map((key) =>
      line(["settings", key], "a setting that follows from the rest", "none", "omit it"),
    ),
    ...unknown(["settings"], settings, [...Object.keys(settingsSchema.shape), ...DERIVED]),
    ...unknown(["settings", "state"], settings.state, ["connection"]),
    ...unknown(["settings", "index_rollover_frequency"], settings.index_rollover_frequency, ["state", "analytics"]),
    ...unknown(["settings", "index_settings"], settings.index_settings ?? {}, INDICES),
    ...Object.entries(settings.index_settings ?? {}).flatMap(([name, each]) =>
      unknown(["settings", "index_settings", name], each ?? {}, ["number_of_shards", "number_of_replicas"]),
    ),
    ...unknown(["terafoundation"], terafoundation, [...Object.keys(terafoundationFields), "connectors"]),
    ...Object.entries(connectors as Readonly<Record<string, object>>).flatMap(([type, connections]) => {
      const at = ["terafoundation", "connectors", type];
      const known = CONNECTION_KEYS[type];
      if (known === undefined)
        return [line(at, "a type whose connections are not checked", EGRESS, didYouMean(type, types))];
      return Object.entries(connections).flatMap(([name, each]) => unknown([...at, name], each as object, known));
    }),
  ];
}

const INDICES = ["analytics", "assets", "execution", "jobs", "state"];
const EGRESS = "that networkPolicy.egress lets out to where they go";
const UNKNOWN = "an unknown key, which the master gets as it is";
