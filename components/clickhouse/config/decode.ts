import { withoutUndefined } from "../../../foundation/json/withoutUndefined";
import type { ClickHouseConfig, TemplatedConfig } from "../../runtime/clickhouse/settings";
import { mismatch, type Path } from "../../../foundation/schema/faults";
import { foundAt } from "../../../foundation/schema/issues";
import { readTemplates } from "../../runtime/templates/readTemplates";
import { resolveClusterAccess } from "../../cluster/access/resolveAccess";
import type { DecodeContext } from "../../contract/decoding";
import type { ClickHouseInput, TemplatedInput } from "./schema";

/** Decodes the ClickHouse provisioners by name. Adds faults to the context. */
export function decodeClickHouse(
  input: ClickHouseInput | undefined,
  context: DecodeContext,
): Readonly<Record<string, ClickHouseConfig>> {
  const { faults } = context;
  const entries = Object.entries(input ?? {});
  const [first, ...more] = entries.filter(([, entry]) => entry.default);
  for (const [name] of more) {
    const expected = `false, because ${first?.[0] ?? ""} is the default one`;
    faults.push(mismatch(["clickhouse", name, "default"], "true", expected));
  }
  for (const name of ["default", "none"].filter((reserved) => Object.hasOwn(input ?? {}, reserved))) {
    faults.push(mismatch(["clickhouse", name], "this name", `another one, because --clickhouse ${name} has a meaning`));
  }
  const decoded = entries.map(([name, entry]): [string, ClickHouseConfig | undefined] => {
    if (entry.type === "kubernetes") return [name, templated(name, entry, context)];
    const { type, default: isDefault, spec } = entry;
    return [name, withoutUndefined<ClickHouseConfig>({ type, default: isDefault, ...spec })];
  });
  return Object.fromEntries(decoded.filter((one): one is [string, ClickHouseConfig] => one[1] !== undefined));
}

/** Returns undefined and adds faults if the access to its cluster is invalid. */
function templated(
  name: string,
  { type, default: isDefault, spec }: TemplatedInput,
  context: DecodeContext,
): TemplatedConfig | undefined {
  const base: Path = ["clickhouse", name, "spec"];
  const { kubeconfig, templates: files, namespace, image, version, timeoutSeconds } = spec;
  const { runtimeUrl, claimsWhenDeleted, prefix, passwordVersion } = spec;
  const known = { namespace, image, version, timeoutSeconds, runtimeUrl, claimsWhenDeleted, prefix, passwordVersion };
  if (kubeconfig === undefined && !context.offers.cluster.isGiven) {
    const expected = `a cluster, because clickhouse provisioner ${name} uses the platform's`;
    context.faults.push(mismatch(["cluster"], "nothing", expected, `or give ${name} a spec.kubeconfig of its own`));
  }
  const at = [...base, "templates"];
  const workloads = [files.statefulset, files.deployment].filter((file) => file !== undefined);
  if (workloads.length !== 1) {
    const found = workloads.length === 0 ? "neither" : foundAt(context.place, [...at, "deployment"]);
    context.faults.push(mismatch(at, found, "either statefulset or deployment"));
  }
  if (files.service === undefined && spec.runtimeUrl === undefined) {
    context.faults.push(
      mismatch([...at, "service"], "nothing", "a service, by which runtimes reach it, or runtimeUrl"),
    );
  }
  const way = resolveClusterAccess(context, base, spec, context.offers.cluster.input);
  const texts = readTemplates(context, at, files);
  return way && { type, ...way, settings: withoutUndefined({ ...known, ...texts, default: isDefault }) };
}
