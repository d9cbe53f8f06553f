import { validRange } from "semver";
import type { Findings } from "./findings";

/** Checks that the versions of assets are ranges that a master understands, and that each asset is listed once. */
export function checkAssets(findings: Findings): void {
  const first = new Map<string, number>();
  for (const [index, reference] of (findings.job.assets ?? []).entries()) {
    const [name = "", version = "latest"] = reference.split(":");
    if (version !== "" && version !== "latest" && validRange(version) === null) {
      findings.error(["assets", index], "a name, name:version, name:range such as standard:~1.2, or an id");
    }
    const other = first.get(name);
    if (other === undefined) first.set(name, index);
    else findings.error(["assets", index], `another asset, because assets[${other}] is ${name} too`);
  }
}
