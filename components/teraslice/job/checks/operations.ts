import { didYouMean } from "../../../config/nearest";
import type { Findings } from "./findings";

const ACTIONS = ["throw", "log", "none"];

/** Operations and APIs name connections and APIs that there are. */
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
  const apisAreWrong = findings.job.apis === undefined && findings.place.root["apis"] !== undefined;
  for (const [index, operation] of operations.entries()) {
    connected(["operations", index, "_connection"], operation._connection);
    if (apisAreWrong) continue;
    const { _dead_letter_action: action } = operation;
    if (action == null || ACTIONS.includes(action) || names.includes(action)) continue;
    const known = [...ACTIONS, ...names];
    const path = ["operations", index, "_dead_letter_action"];
    findings.error(path, `${known.join(", ")}, or the name of another API of this job`, didYouMean(action, known));
  }
}
