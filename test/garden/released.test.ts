import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { isObject, type Json } from "../../foundation/json/isObject";
import { releasedFile } from "../doubles/gardener/kinds/released";
import { garden } from "./garden";
import { fieldsOf } from "./openApi";

const PATH = "/openapi/v3/apis/core.gardener.cloud/v1beta1";
const SPEC = "com.github.gardener.gardener.pkg.apis.core.v1beta1.ShootSpec";

interface OpenApi {
  readonly components: { readonly schemas: Json };
}

/** The double has the fields of each release in a file, which `UPDATE_SNAPSHOTS=1 make garden` writes. */
describe("the fields of a Shoot in the double", () => {
  it("are those of Gardener's own API server", async () => {
    const { client, release } = await garden();
    const { components } = await client.json<OpenApi>("read the schema of Gardener", PATH);
    assert.ok(isObject(components.schemas[SPEC]), `${PATH} has no ${SPEC}`);
    const fields = fieldsOf(components.schemas, SPEC);
    if (process.env["UPDATE_SNAPSHOTS"])
      writeFileSync(releasedFile(release), `${JSON.stringify(fields, undefined, 2)}\n`);
    assert.deepEqual(JSON.parse(readFileSync(releasedFile(release), "utf8")), fields);
  });
});
