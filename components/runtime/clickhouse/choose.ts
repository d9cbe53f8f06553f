import { nearest } from "../../../foundation/text/nearest";
import { ChoiceError } from "../choiceError";
import type { ClickHouseProvisioner } from "./settings";

/**
 * Chooses the provisioner of a deployment's database: the requested one, or else the current one, or else the default
 * or only one. A changed default never moves a database. Throws a {@link ChoiceError}.
 */
export function chooseClickHouse(
  set: Readonly<Record<string, ClickHouseProvisioner>>,
  id: string,
  wanted: string | undefined,
  present: string | undefined,
): string {
  const names = Object.keys(set);
  const usual = names.find((one) => set[one]?.default) ?? (names.length === 1 ? names[0] : undefined);
  const name = wanted ?? present ?? usual;
  if (name !== undefined && names.includes(name)) return name;
  const deployment = `deployment "${id}"`;
  if (wanted === undefined && present !== undefined) {
    throw new ChoiceError(
      `${deployment} has its database with clickhouse provisioner "${present}", which is no longer in the platform's set; restore the provisioner, or name another one of the same server: --clickhouse NAME`,
    );
  }
  if (names.length === 0) {
    throw new ChoiceError(
      `${deployment}: found resources.clickhouse; expected none, because the platform has no clickhouse provisioner; add one to stackyard:clickhouse`,
      "input",
      "resources.clickhouse",
    );
  }
  const found =
    wanted === undefined
      ? "no clickhouse provisioner, and several to choose from"
      : `clickhouse provisioner "${wanted}"`;
  const near = wanted === undefined ? undefined : nearest(wanted, names);
  const meant = near === undefined ? "" : `; did you mean ${near}?`;
  throw new ChoiceError(
    `${deployment}: found ${found}; expected one of ${names.join(", ")}${meant}`,
    "input",
    "resources.clickhouse.provisioner",
  );
}
