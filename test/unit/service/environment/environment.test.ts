import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  databaseUrl,
  EnvironmentError,
  readEnvironment,
  readForCommand,
  withFile,
} from "../../../../service/environment";
import { PAGE, pageText } from "../../../../service/environment/generate";

/** The least that a service needs. */
const LEAST = { APP_OIDC_ISSUER: "https://issuer.example.com" };

const read = (env: Record<string, string>) => readEnvironment({ ...LEAST, ...env });

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readEnvironment(env);
  } catch (error) {
    assert.ok(error instanceof EnvironmentError);
    return error.faults;
  }
  return [];
}

describe("the service's environment", () => {
  it("has the defaults of the Kyma Runtime Provisioner", () => {
    const values = read({});
    assert.deepEqual(values.APP_ADDRESS, { host: "127.0.0.1", port: 3000 });
    assert.equal(values.APP_API_ENDPOINT, "/graphql");
    assert.equal(values.APP_PLAYGROUND_API_ENDPOINT, "/graphql");
    assert.deepEqual(values.APP_METRICS_ADDRESS, { host: "127.0.0.1", port: 9000 });
    assert.equal(values.APP_ENQUEUE_IN_PROGRESS_OPERATIONS, true);
    assert.equal(databaseUrl(values), "postgres://postgres:password@localhost:5432/provisioner");
  });

  it("reports all faults at once with found and expected value", () => {
    const faults = faultsOf({
      APP_ADDRESS: "3000",
      APP_API_ENDPOINT: "graphql",
      APP_DRAIN_TIMEOUT: "soon",
      APP_DATABASE_POOL: "1",
      APP_LOG_LEVEL: "loud",
      APP_ENQUEUE_IN_PROGRESS_OPERATIONS: "yes",
    });
    assert.deepEqual(faults, [
      'APP_ADDRESS: found "3000"; expected an address such as 127.0.0.1:3000 or :3000',
      'APP_API_ENDPOINT: found "graphql"; expected a path such as /graphql',
      'APP_LOG_LEVEL: found "loud"; expected one of trace, debug, info, warn, error, silent',
      'APP_DRAIN_TIMEOUT: found "soon"; expected a duration such as 90s, 15m or 1h30m',
      'APP_DATABASE_POOL: found "1"; expected a whole number from 8 to 200',
      'APP_ENQUEUE_IN_PROGRESS_OPERATIONS: found "yes"; expected true or false',
      "APP_OIDC_ISSUER: found nothing; expected the URL of the issuer of accepted tokens; without it, no caller could be authenticated",
    ]);
  });

  it("does not report an invalid value as a missing one", () => {
    const faults = [
      ...faultsOf({ APP_ALLOW_STATIC_TOKENS: "true", APP_STATIC_TOKENS: "short=acme:admin" }),
      ...faultsOf({ APP_OIDC_ISSUER: "issuer.example.com" }),
    ];
    assert.deepEqual(
      faults.map((fault) => fault.split(";")[0]),
      ["APP_STATIC_TOKENS: found a value that is not shown", 'APP_OIDC_ISSUER: found "issuer.example.com"'],
    );
  });

  it("shows no secret in a fault", () => {
    const faults = faultsOf({ ...LEAST, APP_DATABASE_URL: "mysql://me:hidden@db/x", APP_STATIC_TOKENS: "hidden" });
    assert.equal(faults.length, 2);
    assert.doesNotMatch(faults.join("\n"), /hidden/);
    const webhook = { ...LEAST, APP_WEBHOOK_SECRET: "key", APP_WEBHOOK_URL: "https://me:hidden@hooks.example.com/x" };
    assert.deepEqual(faultsOf(webhook), [
      'APP_WEBHOOK_URL: found "https://…@hooks.example.com/x"; expected a URL without user and password',
    ]);
  });

  it("rejects a misspelled variable, and ignores variables of other programs", () => {
    assert.deepEqual(faultsOf({ ...LEAST, APP_ADRESS: ":1", APP_GARDENER_PROJECT: "x", APP_BROKER_URL: "y" }), [
      "APP_ADRESS: found an unknown variable; did you mean APP_ADDRESS",
    ]);
  });

  it("is read and checked by a command only as far as the command uses it", () => {
    const broken = { APP_ADDRESS: "3000", APP_STATIC_TOKENS: "x", APP_ENCRYPTION_KEYS: "hidden", APP_ADRESS: ":1" };
    const url = "postgres://me@db/x";
    const values = readForCommand({ ...broken, APP_DATABASE_URL: url }, "migrate");
    assert.equal(databaseUrl(values), url);
    const faults = (env: Record<string, string>, command: "migrate" | "reseal") => {
      try {
        return JSON.stringify(readForCommand(env, command));
      } catch (error) {
        assert.ok(error instanceof EnvironmentError);
        return error.message;
      }
    };
    assert.equal(
      faults({ ...broken, APP_DATABASE_PORT: "many", APP_DATABSE_URL: url }, "migrate"),
      "The environment has 2 faults; migrate was not started.\n" +
        "  - APP_DATABSE_URL: found an unknown variable; did you mean APP_DATABASE_URL\n" +
        '  - APP_DATABASE_PORT: found "many"; expected a whole number from 1 to 65535',
    );
    assert.match(
      faults(broken, "reseal"),
      /1 fault; reseal was not started\.\n {2}- APP_ENCRYPTION_KEYS: found a value/,
    );
    assert.doesNotMatch(faults(broken, "reseal"), /hidden/);
  });

  it("accepts static tokens only if they are allowed", () => {
    const token = { APP_STATIC_TOKENS: "letmein-now=acme:operator, other-token=*:admin" };
    assert.match(faultsOf(token)[0] ?? "", /^APP_STATIC_TOKENS: found tokens, but static tokens are not allowed/);
    assert.deepEqual(readEnvironment({ ...token, APP_ALLOW_STATIC_TOKENS: "true" }).APP_STATIC_TOKENS, [
      { token: "letmein-now", tenant: "acme", role: "operator" },
      { token: "other-token", tenant: "*", role: "admin" },
    ]);
  });

  it("accepts durations, both spellings of the SSL mode, and an empty variable as missing", () => {
    const values = read({ APP_DRAIN_TIMEOUT: "1h30m", APP_DATABASE_SSLMODE: "require", APP_LOG_LEVEL: "" });
    assert.equal(values.APP_DRAIN_TIMEOUT, 5_400_000);
    assert.equal(values.APP_DATABASE_SSL_MODE, "require");
    assert.equal(values.APP_LOG_LEVEL, "info");
  });

  it("builds a database URL from any user and password", () => {
    const values = read({
      APP_DATABASE_USER: "a/b",
      APP_DATABASE_PASSWORD: "p@:/?#%",
      APP_DATABASE_SSL_MODE: "verify-full",
    });
    const url = new URL(databaseUrl(values));
    assert.deepEqual(
      [decodeURIComponent(url.username), decodeURIComponent(url.password), url.searchParams.get("sslmode")],
      ["a/b", "p@:/?#%", "verify-full"],
    );
  });

  it("adds variables from the file .env that the process does not have", () => {
    const folder = mkdtempSync(join(tmpdir(), "stackyard-env-"));
    try {
      const file = join(folder, ".env");
      writeFileSync(file, "# comment\nAPP_LOG_LEVEL=debug\nAPP_ADDRESS=':4000'\n");
      const env = withFile(file, { APP_LOG_LEVEL: "warn" });
      assert.deepEqual(env, { APP_LOG_LEVEL: "warn", APP_ADDRESS: ":4000" });
      assert.deepEqual(withFile(join(folder, "none"), { A: "b" }), { A: "b" });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("the page about the service's environment", () => {
  it("matches the output of npm run generate", async () => {
    assert.equal(readFileSync(join(__dirname, "../../../..", PAGE), "utf8"), await pageText());
  });
});
