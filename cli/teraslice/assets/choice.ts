import { rcompare } from "semver";
import type { Asset } from "../../../provider/resources/terasliceJob/master/assets";
import { textsOf } from "../../../provider/resources/terasliceJob/handOver";
import { LIVE, isLive } from "../../../provider/resources/terasliceJob/master/execution";
import type { Master } from "../../../provider/resources/terasliceJob/master/master";
import { Failure } from "../../../foundation/errors";
import { isObject, type Json } from "../../../foundation/json/isObject";

/** Assets to remove. */
interface AssetChoice {
  readonly remove: readonly Asset[];
  /** Matching assets that stay, because an execution uses them. */
  readonly used: readonly Asset[];
}

/**
 * Selects assets by `name`, `name:version` or id. With `keep`, this number of newest versions stays per name and Node
 * version. Assets in use stay, because replaced pods load them again.
 */
export function choose(assets: readonly Asset[], which: string, keep: number, inUse: ReadonlySet<string>): AssetChoice {
  const [name, version] = which.split(":");
  const found = assets.filter(
    (one) => one.id === which || (one.name === name && (version ?? one.version) === one.version),
  );
  if (found.length === 0) throw new Failure(`the master has no asset ${which}; it has ${namesOf(assets)}`);
  const kinds = new Map<string, Asset[]>();
  for (const one of [...found].sort((a, b) => rcompare(a.version, b.version))) {
    const kind = `${one.name} ${one.nodeVersion ?? ""} ${one.platform ?? ""} ${one.arch ?? ""}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), one]);
  }
  const old = [...kinds.values()].flatMap((versions) => versions.slice(keep));
  return { remove: old.filter(({ id }) => !inUse.has(id)), used: old.filter(({ id }) => inUse.has(id)) };
}

/** Returns the ids of assets in executions that run or are starting. */
export async function assetsInUse(master: Master): Promise<ReadonlySet<string>> {
  const path = `/v1/ex?size=10000&status=${LIVE.join(",")}`;
  const list = await master.read("list executions", path);
  const live = (Array.isArray(list) ? list.filter(isObject) : []).filter((execution: Json) => isLive(execution));
  return new Set(live.flatMap((execution) => textsOf(execution["assets"])));
}

const namesOf = (assets: readonly Asset[]): string =>
  assets.length === 0 ? "none" : [...new Set(assets.map(({ name }) => name))].join(", ");
