import assert from "node:assert/strict";
import { until } from "../../engine/cli/held";
import { ServiceProcess } from "../process";
import { configOf, type RuntimePlace } from "./place";

const NOBODY = "018f0000-0000-7000-8000-000000000001";

/** What the service says of what is not there, and of faults that are its own. */
export function errors(placeOf: () => RuntimePlace): void {
  /** What an error says in the original's form, and the lines that the log has of it. */
  const errorOf = async (query: string) => {
    const place = placeOf();
    const before = place.service.log.length;
    const { errors: [error] = [] } = await place.ask(query);
    assert.ok(error);
    const { error_code: code, error_reason: reason, error_component: component, advice } = error.extensions;
    const errors = (): string[] => {
      const lines = place.service.log.slice(before).split("\n");
      return lines.filter((line) => line.includes('"level":"error"'));
    };
    return { form: [code, reason, component], advice: String(advice), errors };
  };

  it("reports a missing operation with the original's reason and component, and logs no error", async () => {
    const { form, errors } = await errorOf(`{ runtimeOperationStatus(id: "${NOBODY}") { id } }`);
    assert.deepEqual(form, [400, "err_db_not_found", "db - provisioner"]);
    assert.deepEqual(errors(), []);
  });

  it("answers an internal error with 500, logs it with the id in the answer, and creates nothing", async () => {
    const { pool } = placeOf().host.place;
    const deployments = async () => (await pool.query("select from deployment")).rowCount;
    const before = await deployments();
    await pool.query("alter table audit rename to audit_away");
    let found;
    try {
      found = await errorOf(`mutation { provisionRuntime(config: ${configOf("fault")}) { id } }`);
    } finally {
      await pool.query("alter table audit_away rename to audit");
    }
    assert.deepEqual(found.form, [500, "err_provisioner_internal", "provisioner"]);
    const { advice, errors } = found;
    const [, id = "none"] = /request's id ([0-9a-f-]{36})/.exec(advice) ?? [];
    // The answer may be here before the output of the process.
    await until(`the log has ${advice}`, () => Promise.resolve(errors().some((line) => line.includes(id))));
    assert.equal(await deployments(), before);
  });

  it("does not start with a key that is too short or without the key that sealed its secrets", async () => {
    const place = placeOf();
    const short = await ServiceProcess.begin({ ...place.env, APP_ENCRYPTION_KEYS: "k1:c2hvcnQ=" }).ended;
    assert.equal(short.code, 2);
    assert.match(short.said, /APP_ENCRYPTION_KEYS: found a value that is not shown; expected id:key,/);
    const none = await ServiceProcess.begin({ ...place.env, APP_ENCRYPTION_KEYS: "" }).ended;
    assert.equal(none.code, 1);
    assert.match(none.said, /APP_ENCRYPTION_KEYS: found no key test, with which secrets are sealed/);
  });
}
