import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { isObject } from "../../../foundation/json/isObject";
import { GARDENER } from "../../../toolchain/tools/gardener";
import { definitions } from "../../doubles/gardener/kinds/definitions";
import { releasedFile } from "../../doubles/gardener/kinds/released";
import { at } from "../../../kubernetes/objects/objects";
import { CASES } from "../../garden/cases";
import { uncheckedShoot } from "../../garden/product";

/** Paths of a value that a schema does not declare. */
function undeclared(value: unknown, schema: unknown, path = "spec"): string[] {
  if (at(schema, "x-kubernetes-preserve-unknown-fields") === true) return [];
  if (Array.isArray(value)) return value.flatMap((one) => undeclared(one, at(schema, "items"), `${path}[]`));
  if (!isObject(value)) return schema === undefined ? [path] : [];
  const more = at(schema, "additionalProperties");
  return Object.entries(value).flatMap(([key, inner]) =>
    undeclared(inner, more ?? at(schema, "properties", key), `${path}.${key}`),
  );
}

describe("the double of Gardener", () => {
  for (const { version } of Object.values(GARDENER)) {
    const specIn = (release: string): unknown => {
      const shoot = definitions(release).find(({ metadata }) => metadata.name === "shoots.core.gardener.cloud");
      return at(shoot, "spec", "versions", 0, "schema", "openAPIV3Schema", "properties", "spec");
    };

    it(`declares every field that a Shoot of ours has in release ${version}`, () => {
      assert.ok(existsSync(releasedFile(version)), `UPDATE_SNAPSHOTS=1 GARDENER=${version} make garden writes it`);
      const spec = specIn(version);
      const found = CASES.flatMap(({ cluster }, index) =>
        undeclared(uncheckedShoot(`s${index}`, cluster)["spec"], spec),
      );
      assert.deepEqual([...new Set(found)], []);
    });

    it(`does not declare fields that release ${version} no longer has`, () => {
      for (const path of [
        ["enableStaticTokenKubeconfig"],
        ["allowPrivilegedContainers"],
        ["kubeAPIServer", "oidcConfig"],
      ])
        assert.deepEqual(
          undeclared(
            { kubernetes: path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), true) },
            specIn(version),
          ),
          [`spec.kubernetes.${path.join(".")}`],
        );
    });
  }
});
