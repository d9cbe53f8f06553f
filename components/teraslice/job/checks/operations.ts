import { valid } from "semver";
import { didYouMean } from "../../../../foundation/text/nearest";
import type { Findings } from "./findings";

const ACTIONS = ["throw", "log", "none"];

/** Checks that operations and APIs refer to existing connections and APIs. */
export function checkOperations(findings: Findings): void {
  const { operations = [], apis = [] } = findings.job;
  const connections = Object.values(findings.settings.terafoundation.connectors).flatMap((each) => Object.keys(each));
  const connected = (path: readonly (string | number)[], name: unknown): void => {
    if (typeof name !== "string" || connections.includes(name)) return;
    const expected = `a connection of terafoundation.connectors: ${connections.join(", ")}`;
    findings.error(path, expected, didYouMean(name, connections));
  };
  const names = apis.map(({ _name }) => _name);
  for (const [index, api] of apis.entries()) {
    const first = names.indexOf(api._name);
    const expected = `another name, such as ${api._name}:${index}, because apis[${first}] has it`;
    if (first < index) findings.error(["apis", index, "_name"], expected);
    connected(["apis", index, "_connection"], api._connection);
    if (api._connection == null) connected(["apis", index, "connection"], api.connection);
  }
  for (const [index, api] of apis.entries()) referred(findings, ["apis", index, "_name"], api._name, true);
  const apisAreWrong = findings.job.apis === undefined && findings.place.root["apis"] !== undefined;
  for (const [index, operation] of operations.entries()) {
    connected(["operations", index, "_connection"], operation._connection);
    referred(findings, ["operations", index, "_op"], operation._op, false);
    const { _api_name: apiName } = operation;
    if (typeof apiName === "string") referred(findings, ["operations", index, "_api_name"], apiName, true);
    if (apisAreWrong) continue;
    if (typeof apiName === "string" && !names.includes(apiName)) {
      const known = names.length === 0 ? "and it has none" : names.join(", ");
      const found = `${JSON.stringify(apiName)}, which is none of the job's apis`;
      const expected = `the _name of an API of this job, ${known}, unless the operation makes its API itself`;
      findings.warning(["operations", index, "_api_name"], found, expected, didYouMean(apiName, names));
    }
    const { _dead_letter_action: action } = operation;
    if (action == null || ACTIONS.includes(action) || names.includes(action)) continue;
    const known = [...ACTIONS, ...names];
    const path = ["operations", index, "_dead_letter_action"];
    findings.error(path, `${known.join(", ")}, or the name of another API of this job`, didYouMean(action, known));
  }
}

/** Checks that the asset in `name@asset` is listed in the job's assets, in the same form. */
function referred(findings: Findings, path: readonly (string | number)[], name: string, isApi: boolean): void {
  const asset = assetIn(name, isApi);
  const assets = findings.job.assets ?? [];
  if (asset === undefined || assets.includes(asset)) return;
  const known = assets.length === 0 ? "and it lists none" : assets.join(", ");
  findings.error(path, `an asset after @ that the job lists among its assets, ${known}`, didYouMean(asset, assets));
}

/** Parses like a master: `name@asset`, `name@asset:version`, and for APIs also `name@asset:tag`. */
function assetIn(name: string, isApi: boolean): string | undefined {
  const [, rest] = name.split("@");
  if (rest === undefined) return undefined;
  const parts = rest.split(":");
  if (parts.length > 2) return parts.slice(0, -1).join(":");
  const [first = "", second] = parts;
  if (second === undefined) return first;
  return first.length === 40 || (isApi && valid(second) === null) ? first : rest;
}
