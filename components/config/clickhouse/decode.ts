import type { ClickHouseProvisioner } from "../../clickhouse/settings";
import { mismatch } from "../faults";
import type { Resolver } from "../resolve";
import type { ClickHouseInput } from "./schema";

/** The provisioners of databases by name; faults go where the others are. */
export function decodeClickHouse(
  input: ClickHouseInput | undefined,
  { place, faults }: Resolver,
): Readonly<Record<string, ClickHouseProvisioner>> {
  const entries = Object.entries(input ?? {});
  const [first, ...more] = entries.filter(([, entry]) => entry.default);
  for (const [name] of more) {
    faults.push(
      mismatch(["clickhouse", name, "default"], "true", `false, because ${first?.[0] ?? ""} is the default one`),
    );
  }
  for (const name of ["default", "none"].filter((reserved) => Object.hasOwn(input ?? {}, reserved))) {
    faults.push(mismatch(["clickhouse", name], "this name", `another one, because --clickhouse ${name} has a meaning`));
  }
  for (const [name, { spec }] of entries) {
    if (new URL(spec.url).password === "" || place.secretKeys.has("clickhouse")) continue;
    const hint = `set it with: pulumi config set --secret --path 'clickhouse.${name}.spec.url'`;
    const path = ["clickhouse", name, "spec", "url"];
    faults.push(mismatch(path, "a plain text", "a secret, because it has a password", hint));
  }
  return Object.fromEntries(
    entries.map(([name, { type, default: isDefault, spec }]) => [name, defined({ type, default: isDefault, ...spec })]),
  );
}

/** Without the keys that have no value, which outputs would show. */
function defined(provisioner: ClickHouseProvisioner): ClickHouseProvisioner {
  const entries = Object.entries(provisioner).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as unknown as ClickHouseProvisioner;
}
