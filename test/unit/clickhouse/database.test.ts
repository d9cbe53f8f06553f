import assert from "node:assert/strict";
import { clickHouseDatabase } from "../../../provider/resources/clickHouseDatabase/clickHouseDatabase";
import type { DatabaseInputs, DatabaseState } from "../../../provider/resources/clickHouseDatabase/inputs";
import { ClickHouseServer, serverEndpoint } from "../../../provider/resources/clickHouseDatabase/server";
import { commentsOf } from "../../../provider/resources/clickHouseDatabase/statements";
import { IncompleteError, type Context } from "../../../foundation/pulumi/resource";
import { ClickHouseDouble } from "../../doubles/clickhouse";
import { contextOf } from "../provider/context";

describe("a ClickHouse database", () => {
  let double: ClickHouseDouble;
  let said: string[];
  beforeEach(async () => {
    double = await new ClickHouseDouble().start();
    said = [];
  });
  afterEach(() => double.stop());

  const context = (more: Partial<Context> = {}): Context => contextOf((line) => said.push(line), more);
  const inputs = async (more: Record<string, unknown> = {}): Promise<DatabaseInputs> => {
    const given = {
      url: double.url(),
      database: "rill_acme",
      user: "rill_acme",
      owner: "org/stackyard/dev/acme",
      ...more,
    };
    const origin = { old: {}, seed: Buffer.from(String(given.owner)).toString("base64") };
    const { inputs: checked, failures } = await clickHouseDatabase.check(context(), given, origin);
    assert.deepEqual(failures, []);
    return checked as unknown as DatabaseInputs;
  };
  const note = (owner: string, of: string): string =>
    JSON.stringify({ stackyard: Buffer.from(owner).toString("hex"), of });
  const create = async (more: Record<string, unknown> = {}) =>
    (await clickHouseDatabase.create(context(), await inputs(more))).state;
  const as = ({ user, password }: DatabaseState, statement: string) => {
    const endpoint = serverEndpoint(double.url());
    assert.ok(endpoint && password !== undefined);
    return new ClickHouseServer(endpoint, new AbortController().signal, 1).as(user, password).run("ask", statement);
  };

  it("is created with a user that can access no other database", async () => {
    const one = await create();
    const two = await create({ database: "rill_other", user: "rill_other", owner: "org/stackyard/dev/other" });
    assert.notEqual(one.password, two.password);
    assert.match(one.password ?? "", /^1Sy![0-9a-f]{32}$/);
    await as(one, "CREATE TABLE rill_acme.t (x Int8) ENGINE = Memory");
    await as(one, "SELECT * FROM rill_acme.t");
    await assert.rejects(as(two, "SELECT * FROM rill_acme.t"), /Code|Not enough privileges/);
    await assert.rejects(
      as(one, "ALTER DATABASE `rill_acme` MODIFY COMMENT 'mine'"),
      /grant ALTER MODIFY DATABASE COMMENT/,
    );
    await assert.rejects(as(two, "CREATE DATABASE IF NOT EXISTS `x` COMMENT ''"), /Not enough privileges/);
    assert.equal(await as(two, commentsOf("rill_acme")), '{"data":[],"rows":0}');
    // No statement has the password, and it is in no log of the server.
    assert.ok(double.log.every((line) => !line.includes(one.password ?? "?")));
  });

  it("runs every statement on the named cluster", async () => {
    await create({ cluster: "main" });
    const changes = double.log.filter((line) => /: (CREATE|ALTER|GRANT|REVOKE|DROP)/.test(line));
    assert.equal(changes.length, 9);
    assert.ok(changes.every((line) => line.includes(" ON CLUSTER `main`")));
    await assert.rejects(
      create({ database: "b", user: "b", cluster: "gone" }),
      /Requested cluster 'gone' not found.*one of system\.clusters/,
    );
  });

  it("grants and revokes the named sources", async () => {
    const state = await create();
    const granted = () =>
      [...(double.users.get("rill_acme")?.rights ?? [])].filter((right) => right.endsWith("ON *.*"));
    assert.equal(granted().length, 7);
    await clickHouseDatabase.update(context(), "", { inputs: state, state }, await inputs({ sources: ["S3"] }));
    assert.deepEqual(granted(), ["S3 ON *.*"]);
  });

  it("lets its user read the sizes of its tables, and use the cluster if there is one", async () => {
    await create();
    assert.ok(double.users.get("rill_acme")?.rights.has("SELECT ON system.parts"));
    assert.ok(!double.users.get("rill_acme")?.rights.has("CLUSTER ON *.*"));
    await create({ database: "b", user: "b", owner: "org/stackyard/dev/b", cluster: "main" });
    assert.ok(double.users.get("b")?.rights.has("CLUSTER ON *.*"));
  });

  it("is created with a warning if the administrator cannot grant the optional rights", async () => {
    double.refused = /^GRANT.* system\.parts|^GRANT.* CLUSTER ON \*/;
    const state = await create({ cluster: "main" });
    await as(state, "SELECT 1");
    assert.equal(said.length, 2);
    assert.match(said[0] ?? "", /^warning: .*Not enough privileges.*WITH GRANT OPTION/s);
  });

  it("keeps its password until another version is requested", async () => {
    const state = await create();
    const same = await clickHouseDatabase.update(
      context(),
      "",
      { inputs: state, state },
      await inputs({ sources: [] }),
    );
    assert.equal(same.password, state.password);
    const next = await inputs({ passwordVersion: "2" });
    const { changes } = await clickHouseDatabase.diff(context(), "", { inputs: await inputs(), state }, next);
    assert.deepEqual(changes, { passwordVersion: "update" });
    const rotated = await clickHouseDatabase.update(context(), "", { inputs: same, state: same }, next);
    assert.notEqual(rotated.password, state.password);
    await as(rotated, "SELECT 1");
    await assert.rejects(as(state, "SELECT 1"), /Authentication failed/);
  });

  it("is deleted with its user when its deployment is deleted", async () => {
    const state = await create();
    await as(state, "CREATE TABLE rill_acme.t (x Int8) ENGINE = Memory");
    await clickHouseDatabase.delete(context(), "", { inputs: state, state });
    assert.deepEqual([[...double.databases.keys()], [...double.users.keys()]], [["default"], ["admin"]]);
    await clickHouseDatabase.delete(context(), "", { inputs: state, state });
  });

  it("is kept on destroy if it is to be retained, with a warning how to drop it", async () => {
    const state = await create({ whenDeleted: "Retain" });
    await clickHouseDatabase.delete(context(), "", { inputs: state, state });
    assert.match(said.join(), /warning: .* stays on .*drop it with: DROP DATABASE IF EXISTS `rill_acme` SYNC/);
    assert.deepEqual([[...double.databases.keys()], [...double.users.keys()]], [["default", "rill_acme"], ["admin"]]);
  });

  it("is kept without its user while it is not requested, and opened again with its data", async () => {
    const state = await create();
    await as(state, "CREATE TABLE rill_acme.t (x Int8) ENGINE = Memory");
    const old = { inputs: state, state };
    const closed = await clickHouseDatabase.update(context(), "", old, await inputs({ access: false }));
    await assert.rejects(as(state, "SELECT 1"), /Authentication failed/);
    const opened = await clickHouseDatabase.update(context(), "", { inputs: closed, state: closed }, await inputs());
    await as(opened, "SELECT * FROM rill_acme.t");
  });

  it("is never taken over or dropped if it belongs to another owner", async () => {
    double.databases.set("rill_acme", { comment: "by hand", tables: new Set() });
    await assert.rejects(
      create(),
      /rill_acme is on 127\S+ already, and Stackyard did not create it.*Rename or drop it/,
    );
    const preview = async () => clickHouseDatabase.create(context({ preview: true }), await inputs());
    await assert.rejects(preview(), /Stackyard did not create it/);
    // Another backend's stack of the same name.
    const theirs = { comment: note("other", "org/stackyard/dev/acme"), tables: new Set<string>() };
    double.databases.set("rill_acme", theirs);
    await assert.rejects(
      create(),
      /belongs to another owner.*To take it over on purpose: stackyard runtime adopt acme/,
    );
    const mine = await inputs();
    await clickHouseDatabase.delete(context(), "", { inputs: mine, state: mine });
    assert.ok(double.databases.has("rill_acme"));
    assert.match(said.join(), /stays, and so does its user: it belongs to another owner/);

    double.databases.delete("rill_acme");
    double.users.set("rill_acme", { hash: "", rights: new Set() });
    await assert.rejects(create(), /the user rill_acme is on \S+ already, without the database/);
    await clickHouseDatabase.delete(context(), "", { inputs: mine, state: mine });
    assert.ok(double.users.has("rill_acme"));
  });

  it("is taken over if its comment gives it to the stack", async () => {
    const state = await create();
    const table = double.databases.get("rill_acme");
    const lost = async () =>
      (await clickHouseDatabase.create(context(), { ...(await inputs()), instance: "2e" })).state;
    await assert.rejects(lost(), /belongs to stack/);
    assert.ok(table);
    table.comment = '{"adopt":"org/stackyard/prod/acme"}';
    await assert.rejects(lost(), /Stackyard did not create it/);
    table.comment = '{"adopt":"org/stackyard/dev/acme"}';
    const taken = await lost();
    assert.match(table.comment, /^{"stackyard":"2e","of":"org\/stackyard\/dev\/acme","stack":.*"generation":1,/);
    await as(taken, "SELECT 1");
    await assert.rejects(as(state, "SELECT 1"), /Authentication failed/);
  });

  it("grants nothing when the database is created concurrently", async () => {
    double.before = (statement) => {
      if (!statement.startsWith("CREATE DATABASE")) return;
      double.databases.set("rill_acme", { comment: note("other", "o"), tables: new Set() });
    };
    await assert.rejects(create(), (error: Error) => {
      assert.ok(!(error instanceof IncompleteError));
      return /belongs to another owner/.test(error.message);
    });
    assert.deepEqual([...double.users.keys()], ["admin"]);
  });

  it("keeps its names, and moves to a new address only if it exists there", async () => {
    const state = await create();
    const old = { inputs: state, state };
    const renamed = await inputs({ database: "rill_b" });
    assert.throws(() => void clickHouseDatabase.diff(context(), "", old, renamed), /found rill_b; expected rill_acme/);
    await assert.rejects(clickHouseDatabase.update(context(), "", old, renamed), /its data is not copied/);
    const elsewhere = await new ClickHouseDouble().start();
    try {
      const moved = await inputs({ url: elsewhere.url() });
      await assert.rejects(clickHouseDatabase.update(context(), "", old, moved), (error: Error) => {
        assert.ok(!(error instanceof IncompleteError));
        return /is not on 127\S+ and data is not copied.*put the old one back/.test(error.message);
      });
      assert.deepEqual([...elsewhere.databases.keys()], ["default"]);
    } finally {
      await elsewhere.stop();
    }
    // The same server by another name.
    const localhost = await inputs({ url: double.url().replace("127.0.0.1", "localhost") });
    const reached = await clickHouseDatabase.update(context(), "", old, localhost);
    assert.deepEqual([reached.host, reached.password], ["localhost", state.password]);
  });

  it("has a separate address for runtimes if that is configured", async () => {
    const { host, port, secure } = await create({ runtimeUrl: "https://ch.internal" });
    assert.deepEqual([host, port, secure], ["ch.internal", 8443, true]);
  });

  it("sends no request if only the state changes", async () => {
    const state = await create();
    double.away = 99;
    const runtimeWriterUrl = "https://primary";
    const next = await inputs({ whenDeleted: "Retain", runtimeWriterUrl, url: double.url() });
    const changed = await clickHouseDatabase.update(context(), "", { inputs: await inputs(), state }, next);
    assert.deepEqual([changed.whenDeleted, changed.password], ["Retain", state.password]);
    const back = await clickHouseDatabase.update(context(), "", { inputs: next, state: changed }, await inputs());
    assert.deepEqual([changed.runtimeWriterUrl, back], [runtimeWriterUrl, state]);
  });

  it("has its provisioner in its comment, even after the provisioner changes", async () => {
    const state = await create({ provisioner: "main" });
    const noted = () => JSON.parse(double.databases.get("rill_acme")?.comment ?? "") as Record<string, unknown>;
    assert.equal(noted()["with"], "main");
    const old = { inputs: await inputs({ provisioner: "main" }), state };
    const other = await clickHouseDatabase.update(context(), "", old, await inputs({ provisioner: "other" }));
    assert.equal(noted()["with"], "other");
    // Its owner must be recorded before anything else changes.
    double.refused = /MODIFY COMMENT/;
    const [third, users] = [await inputs({ provisioner: "third", sources: [] }), structuredClone(double.users)];
    const refused = clickHouseDatabase.update(context(), "", { inputs: other, state: other }, third);
    await assert.rejects(refused, /could not record its owner .*Not enough privileges/);
    assert.deepEqual(double.users, users);
  });

  it("is adopted by the id in its comment, with the password of its user", async () => {
    const lost = await create();
    const others = { old: {}, seed: "b3RoZXI=" };
    const adopting = async (more: object) => {
      const given = {
        ...lost,
        instance: undefined,
        host: undefined,
        port: undefined,
        secure: undefined,
        password: undefined,
        generation: undefined,
      };
      const known = { ...given, adopt: lost.instance, adoptPassword: lost.password, ...more };
      const { inputs: checked, failures } = await clickHouseDatabase.check(context(), known, others);
      assert.deepEqual(failures, []);
      return checked as unknown as DatabaseInputs;
    };
    const hash = double.users.get("rill_acme")?.hash;
    const taken = await adopting({});
    const { state } = await clickHouseDatabase.create(context(), taken);
    assert.deepEqual([state.instance, state.password, state.generation], [lost.instance, lost.password, 2]);
    assert.equal(double.users.get("rill_acme")?.hash, hash);
    // Afterwards it is as any other.
    const later = { ...taken, adopt: undefined, adoptPassword: undefined };
    const { changes } = await clickHouseDatabase.diff(context(), "", { inputs: taken, state }, later);
    assert.deepEqual(changes, {});

    await assert.rejects(
      clickHouseDatabase.create(context(), await adopting({ adopt: "another-id" })),
      /belongs to stack/,
    );
    double.databases.delete("rill_acme");
    await assert.rejects(clickHouseDatabase.create(context(), taken), /expected one to adopt\. Nothing was changed/);
    assert.ok(!double.databases.has("rill_acme"));
  });

  it("is not created again after it was dropped, until the state is refreshed", async () => {
    const state = await create();
    double.databases.delete("rill_acme");
    const again = clickHouseDatabase.update(context(), "", { inputs: state, state }, await inputs({ sources: [] }));
    await assert.rejects(again, /is not on 127\S+ .*run pulumi refresh/);
    assert.equal(await clickHouseDatabase.read(context(), "", { inputs: state, state }), undefined);
  });

  it("restores its user after a refresh, with the same password", async () => {
    const state = await create();
    double.users.delete("rill_acme");
    const found = await clickHouseDatabase.read(context(), "", { inputs: await inputs(), state });
    assert.ok(found);
    const { changes } = await clickHouseDatabase.diff(context(), "", found, await inputs());
    assert.deepEqual(changes, { access: "update" });
    await clickHouseDatabase.update(context(), "", found, await inputs());
    await as(state, "SELECT 1");
  });

  it("has a generation that rises, and is neither changed nor dropped by an older state, until it is refreshed", async () => {
    const older = await create();
    const next = await inputs({ sources: [] });
    const newer = await clickHouseDatabase.update(context(), "", { inputs: older, state: older }, next);
    assert.deepEqual([older.generation, newer.generation], [1, 2]);
    const there = (): unknown => [structuredClone(double.databases), structuredClone(double.users)];
    const [before, old] = [there(), { inputs: await inputs(), state: older }];
    const stale =
      /database rill_acme on 127\S+ has generation 2, and the state of stack \S+ in file:\/\/\/state is older/;
    for (const preview of [true, false])
      await assert.rejects(clickHouseDatabase.update(context({ preview }), "", old, next), stale);
    await assert.rejects(clickHouseDatabase.delete(context(), "", old), stale);
    // The same state in another backend.
    const elsewhere = { backend: "file:///copy" };
    await assert.rejects(
      clickHouseDatabase.update(context(elsewhere), "", old, next),
      /belongs to stack .* file:\/\/\/state/,
    );
    await clickHouseDatabase.delete(context(elsewhere), "", old);
    assert.match(said.join(), /database rill_acme on \S+ stays, and so does its user: it belongs to stack/);
    assert.deepEqual(there(), before);
    const read = await clickHouseDatabase.read(context(), "", old);
    assert.equal(read?.state.generation, 2);
    await clickHouseDatabase.delete(context(), "", read ?? old);
    assert.deepEqual([...double.databases.keys()], ["default"]);
  });

  it("is changed by one of two copies of a state that begin at the same moment", async () => {
    const state = await create();
    const old = { inputs: state, state };
    const next = await inputs({ sources: [] });
    const both = ["file:///state", "file:///copy"].map((backend) =>
      clickHouseDatabase.update(context({ backend }), "", old, next),
    );
    const ended = await Promise.allSettled(both);
    assert.deepEqual(ended.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    const [failed] = ended.flatMap((one) => (one.status === "rejected" ? [one.reason as Error] : []));
    assert.match(failed?.message ?? "", /is being changed by stack|belongs to stack/);
    assert.ok(!(failed instanceof IncompleteError));
    assert.deepEqual([...double.databases.keys()], ["default", "rill_acme"]);
  });

  it("is continued after a kill by its own stack, and by no other", async () => {
    const state = await create();
    const old = { inputs: state, state };
    const next = await inputs({ sources: [] });
    const table = double.databases.get("rill_acme");
    const killed = new AbortController();
    double.before = (statement) => void (/^GRANT/.test(statement) && killed.abort(new Error("killed")));
    await assert.rejects(clickHouseDatabase.update(context({ signal: killed.signal }), "", old, next), /killed/);
    double.before = () => undefined;
    assert.deepEqual([...double.databases.keys()], ["default", "rill_acme", "rill_acme-lock"]);
    const other = context({ backend: "file:///copy" });
    await assert.rejects(clickHouseDatabase.update(other, "", old, next), /belongs to stack/);
    await assert.rejects(
      clickHouseDatabase.update(other, "", { inputs: state, state: { ...state, generation: 2 } }, next),
      /being changed by stack .* in file:\/\/\/state since .*unlock the database: DROP DATABASE IF EXISTS `rill_acme-lock`/,
    );
    const { generation } = await clickHouseDatabase.update(context(), "", old, next);
    assert.equal(generation, 3);
    assert.deepEqual(
      [[...double.databases.keys()], double.databases.get("rill_acme")],
      [["default", "rill_acme"], table],
    );
  });

  it("is completed after a killed update, whether it was created or not", async () => {
    // As the state has it after a kill: what it was to be made from, and no output.
    const wanted = await inputs();
    const killed = { inputs: wanted, state: wanted };
    const made = await clickHouseDatabase.update(context(), "", killed, wanted);
    await as(made, "SELECT 1");
    const again = await clickHouseDatabase.update(context(), "", killed, wanted);
    await as(again, "SELECT 1");
    await clickHouseDatabase.delete(context(), "", killed);
    assert.deepEqual([[...double.databases.keys()], [...double.users.keys()]], [["default"], ["admin"]]);
  });

  it("is not in the state if the server refuses to create it", async () => {
    const hash = double.users.get("admin")?.hash ?? "";
    double.users.set("weak", { hash, rights: new Set(["SHOW USERS ON *.*"]) });
    await assert.rejects(create({ url: double.url("weak") }), (error: Error) => {
      assert.ok(!(error instanceof IncompleteError));
      return /grant CREATE DATABASE ON rill_acme/.test(error.message);
    });
  });

  it("reports errors in a preview, and waits for a server that is briefly unavailable", async () => {
    const preview = async (more: Record<string, unknown>) =>
      clickHouseDatabase.create(context({ preview: true }), await inputs(more));
    await assert.rejects(
      preview({ url: double.url("admin", "wrong") }),
      /Authentication failed.*User or password of the provisioner's url is wrong/,
    );
    const state = (await preview({})).state;
    assert.equal(state.host, "127.0.0.1");
    assert.deepEqual([...double.databases.keys()], ["default"]);
    double.away = 1;
    await preview({});
    assert.match(
      said.join(),
      /warning: could not look for the database: the ClickHouse server \S+ does not answer: HTTP 503; so nothing was checked/,
    );
    double.away = 2;
    await create();
  });

  it("keeps the password of an incomplete creation, and reports the missing right", async () => {
    double.users.set("weak", {
      hash: double.users.get("admin")?.hash ?? "",
      rights: new Set(
        ["SHOW USERS ON *.*", "CREATE DATABASE ON rill_acme.*", "CREATE DATABASE ON rill_acme-lock.*"].concat(
          "DROP DATABASE ON rill_acme-lock.*",
        ),
      ),
    });
    await assert.rejects(create({ url: double.url("weak") }), (error: Error) => {
      assert.ok(error instanceof IncompleteError);
      assert.match(
        error.message,
        /could not create the user .*grant CREATE USER ON rill_acme.*needs access_management/,
      );
      assert.match((error.state as DatabaseState).password ?? "", /^1Sy!/);
      assert.doesNotMatch(error.message, /s3cret|1Sy!/);
      return true;
    });
  });

  it("checks its inputs without showing the URL", async () => {
    const { failures } = await clickHouseDatabase.check(context(), {
      url: "clickhouse://admin:s3cret@ch:9000",
      database: "Rill",
      user: "u",
      owner: "o",
      sources: ["FILE"],
      whenDeleted: "Drop",
    });
    assert.deepEqual(
      failures.map(({ property }) => property),
      ["url", "database", "sources", "whenDeleted"],
    );
    assert.doesNotMatch(JSON.stringify(failures), /s3cret/);
  });
});
