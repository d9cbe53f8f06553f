import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { freshToken } from "../../../../cli/service/stored/renew";
import { changeLogins, loginsFile, readLogins, type Login } from "../../../../cli/service/stored/store";

const URL_OF_API = "https://stackyard.example.com/graphql";

describe("stored logins", () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "stackyard-logins-"));
    file = path.join(folder, "stackyard", "logins.json");
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  const keep = (login: Login) =>
    changeLogins(({ services }) => ({ current: URL_OF_API, services: { ...services, [URL_OF_API]: login } }), file);

  it("are in the folder for configuration, readable only by the user", async () => {
    assert.equal(loginsFile({ XDG_CONFIG_HOME: "/home/ann/conf" }), "/home/ann/conf/stackyard/logins.json");
    const usual = path.join(os.homedir(), ".config", "stackyard", "logins.json");
    assert.equal(loginsFile({}), usual);
    assert.equal(loginsFile({ XDG_CONFIG_HOME: "relative" }), usual);
    await keep({ token: "hidden" });
    assert.equal(fs.statSync(file).mode & 0o777, 0o600);
    assert.equal(fs.statSync(path.dirname(file)).mode & 0o777, 0o700);
    assert.deepEqual(fs.readdirSync(path.dirname(file)), ["logins.json"]);
    assert.deepEqual(await readLogins(file), { current: URL_OF_API, services: { [URL_OF_API]: { token: "hidden" } } });
  });

  it("are empty without a file, and do not show the content of a damaged file", async () => {
    assert.deepEqual(await readLogins(file), { services: {} });
    fs.mkdirSync(path.dirname(file));
    for (const text of ["{ hidden", '{"services":{"a":{"token":7}}}']) {
      fs.writeFileSync(file, text);
      await assert.rejects(readLogins(file), {
        message: `${file} is not a file of logins; delete it and log in again`,
      });
    }
  });

  it("are changed by one process at a time, even after a killed process", async () => {
    const add = (name: string) =>
      changeLogins(({ services }) => ({ services: { ...services, [name]: { token: name } } }), file);
    await Promise.all(["a", "b", "c", "d"].map(add));
    assert.deepEqual(Object.keys((await readLogins(file)).services).sort(), ["a", "b", "c", "d"]);
    fs.writeFileSync(`${file}.lock`, "1\n");
    fs.utimesSync(`${file}.lock`, new Date(0), new Date(0));
    await add("e");
    assert.equal(fs.existsSync(`${file}.lock`), false);
  });

  it("are unchanged if a change fails", async () => {
    await keep({ token: "hidden" });
    await assert.rejects(
      changeLogins(() => Promise.reject(new Error("no")), file),
      /no/,
    );
    assert.equal((await readLogins(file)).current, URL_OF_API);
    assert.deepEqual(fs.readdirSync(path.dirname(file)), ["logins.json"]);
  });

  it("provide a valid token, or report how to renew an expired one", async () => {
    const renewal = {
      issuer: "http://127.0.0.1:1",
      clientId: "cli",
      expires: new Date(Date.now() + 3600_000).toISOString(),
    };
    assert.equal(await freshToken(URL_OF_API, { token: "a" }, file), "a");
    assert.equal(await freshToken(URL_OF_API, { token: "b", renewal }, file), "b");
    const old = { token: "hidden", renewal: { ...renewal, expires: new Date(0).toISOString() } };
    await assert.rejects(freshToken(URL_OF_API, old, file), { message: /^you are logged out of https/ });
    await keep(old);
    await assert.rejects(freshToken(URL_OF_API, old, file), {
      message: `the login at ${URL_OF_API} has expired (the issuer gave no refresh token); log in again with: stackyard login ${URL_OF_API}`,
    });
    const refreshing = { ...old, renewal: { ...old.renewal, refreshToken: "hidden" } };
    await keep(refreshing);
    await assert.rejects(freshToken(URL_OF_API, refreshing, file), (error: Error) => {
      assert.match(error.message, /^the login at \S+ could not be renewed with http:\/\/127\.0\.0\.1:1: /);
      assert.doesNotMatch(error.message, /hidden/);
      return true;
    });
    // Another command has renewed it meanwhile.
    await keep({ token: "new", renewal });
    assert.equal(await freshToken(URL_OF_API, old, file), "new");
  });
});
