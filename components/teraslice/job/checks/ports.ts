import { count, matching, strict } from "../../../../foundation/schema/fields";
import { faultsOf } from "../../../../foundation/schema/issues";
import { PORTS } from "../../podConfig/names";
import { portsOf, type JobPort } from "../fields";
import type { Findings } from "./findings";

const number = count("a port from 1 to 65535", 65_535);
const NAME = /^(?=.*[a-z])(?!.*--)[a-z0-9]([a-z0-9-]{0,13}[a-z0-9])?$/;
const named = strict("a port, or an object with name and port", {
  name: matching(NAME, "a name of a-z, 0-9 and inner -, a letter among them, 15 characters at most"),
  port: number,
});

const OWN = "another port, because Teraslice takes this one in every pod";

/** Checks that ports are valid and unique, and not the one that Teraslice uses in every pod. */
export function checkPorts(findings: Findings): void {
  const ports: (number | JobPort)[] = [];
  const known = new Map<number, number>();
  const names = new Map<string, number>();
  for (const [index, entry] of (findings.job.external_ports ?? []).entries()) {
    const at = ["external_ports", index];
    const result = (typeof entry === "number" ? number : named).safeParse(entry);
    if (!result.success) {
      for (const fault of faultsOf(result.error.issues, at, findings.place)) findings.add("error", fault);
      continue;
    }
    ports.push(result.data);
    const [port, path] = typeof result.data === "number" ? [result.data, at] : [result.data.port, [...at, "port"]];
    const other = known.get(port);
    if (port === PORTS.executionController) findings.error(path, OWN);
    else if (other !== undefined) findings.error(path, `another port, because external_ports[${other}] has it`);
    known.set(port, index);
    if (typeof result.data === "number") continue;
    const { name } = result.data;
    const same = names.get(name);
    if (same !== undefined) findings.error([...at, "name"], `another name, because external_ports[${same}] has it`);
    names.set(name, index);
  }
  checkMetrics(findings, ports, names);
}

/** A master adds a metrics port if metrics are enabled. Its name must be free. */
function checkMetrics(
  findings: Findings,
  ports: readonly (number | JobPort)[],
  names: ReadonlyMap<string, number>,
): void {
  const { prom_metrics_enabled: enabled, prom_metrics_port: port } = findings.job;
  const { terafoundation } = findings.settings;
  const served = { ...(enabled !== undefined && { prom_metrics_enabled: enabled }), prom_metrics_port: port ?? 0 };
  const added = portsOf({ ...served, external_ports: ports }, terafoundation)[ports.length];
  if (added === undefined || typeof added === "number") return;
  if (added.port === PORTS.executionController) findings.error(["prom_metrics_port"], OWN);
  const same = names.get(added.name);
  if (same === undefined) return;
  const expected = `another name, because a master gives it to the port of metrics, ${added.port}`;
  findings.error(["external_ports", same, "name"], expected);
}
