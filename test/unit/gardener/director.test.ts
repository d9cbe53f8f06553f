import assert from "node:assert/strict";
import { Director } from "../../../provider/director/director";
import { directorRuntime } from "../../../provider/resources/directorRuntime/directorRuntime";
import type { RuntimeInputs } from "../../../provider/resources/directorRuntime/inputs";
import type { Context } from "../../../foundation/pulumi/resource";
import { CODES, DirectorDouble } from "../../doubles/director/director";

const MARK = { key: "stackyard_instance", value: "one" };

describe("a Director", () => {
  let double: DirectorDouble;
  beforeEach(async () => {
    double = new DirectorDouble();
    await double.listen();
  });
  afterEach(() => double.close());

  const director = (more: object = {}) => new Director({ ...double.access, ...more }, AbortSignal.timeout(30_000), 1);
  const only = () => [...double.runtimes.values()].map(({ name, labels, status }) => ({ name, labels, ...status }));

  it("registers a runtime with its labels and returns its id", async () => {
    const id = await director().register({ name: "acme", description: "d", labels: { region: "eu" } }, MARK);
    assert.deepEqual([...double.runtimes.keys()], [id]);
    assert.deepEqual(only(), [
      { name: "acme", labels: { region: "eu", stackyard_instance: "one" }, condition: "INITIAL" },
    ]);
  });

  it("registers a runtime only once although the connection breaks or the response is an error", async () => {
    for (const kind of ["cutBefore", "cutAfter"] as const) {
      double.troubles.push({ kind });
      await director().register({ name: kind.toLowerCase() }, { ...MARK, value: kind });
    }
    double.troubles.push({ kind: "status", status: 503 }, { kind: "error", code: CODES.internal, message: "Internal" });
    await director().register({ name: "busy" }, { ...MARK, value: "busy" });
    assert.deepEqual(
      only().map(({ name }) => name),
      ["cutbefore", "cutafter", "busy"],
    );
  });

  it("gives up after three attempts, and immediately if a retry cannot help", async () => {
    for (let time = 0; time < 9; time++) double.troubles.push({ kind: "status", status: 502 });
    await assert.rejects(director().register({ name: "acme" }, MARK), /HTTP status 502 and no GraphQL result/);
    double.troubles.length = 0;
    await director().register({ name: "acme" }, MARK);
    const asked = double.asked.length;
    await assert.rejects(
      director().register({ name: "acme" }, { ...MARK, value: "two" }),
      /could not register the runtime acme: .*not unique.*; choose another name for the runtime/,
    );
    assert.equal(double.asked.length, asked + 1);
  });

  it("reuses its token, and requests another when the token is refused or expires", async () => {
    const one = director();
    const id = await one.register({ name: "acme" }, MARK);
    await one.get(id);
    assert.equal(double.tokensIssued, 1);
    double.expireTokens();
    assert.equal((await one.get(id))?.name, "acme");
    assert.equal(double.tokensIssued, 2);
    double.tokenLifeSeconds = 5;
    double.expireTokens();
    await one.get(id);
    await one.get(id);
    assert.equal(double.tokensIssued, 4);
  });

  it("explains errors about credentials and tenants without the client secret", async () => {
    await assert.rejects(director({ clientSecret: "wrong-one" }).get("x"), (error: Error) => {
      assert.match(error.message, /gave no token: HTTP status 401; check clientId, clientSecret and the scopes/);
      assert.doesNotMatch(error.message, /wrong-one/);
      return true;
    });
    await assert.rejects(director({ tenant: "tenant-2" }).oneTimeToken("x"), /Tenant not found.*check the tenant/);
  });

  it("treats a null result as an error", async () => {
    const id = await director().register({ name: "acme" }, MARK);
    double.troubles.push({ kind: "nullResult" });
    await assert.rejects(director().oneTimeToken(id), /a result without token or connectorURL/);
    double.troubles.push({ kind: "nullResult" });
    await assert.rejects(director().update(id, { name: "acme" }), /a result without an id/);
    double.troubles.push({ kind: "nullResult" });
    await assert.rejects(director().unregister(id), /a result without an id/);
  });

  it("changes labels and the condition and keeps the rest", async () => {
    const id = await director().register({ name: "acme", labels: { a: 1 } }, MARK);
    await director().amend(id, { labels: { gardenerClusterName: "acme" }, statusCondition: "PROVISIONING" });
    await director().amend(id, { labels: { b: 2 } });
    const labels = { a: 1, b: 2, gardenerClusterName: "acme", stackyard_instance: "one" };
    assert.deepEqual(only(), [{ name: "acme", labels, condition: "PROVISIONING" }]);
  });

  it("unregisters a runtime, and succeeds if it is already unregistered", async () => {
    const id = await director().register({ name: "acme" }, MARK);
    await director().unregister(id);
    await director().unregister(id);
    assert.equal(double.runtimes.size, 0);
    await director({ tenant: "tenant-2" }).unregister(id);
  });

  describe("as a resource", () => {
    const context = (preview = false): Context => ({
      urn: "urn",
      backend: "file:///state",
      preview,
      signal: AbortSignal.timeout(30_000),
      timeoutSeconds: undefined,
      log: () => undefined,
    });
    const inputs = (more: object = {}): RuntimeInputs => ({
      ...double.access,
      name: "acme",
      labels: { region: "eu" },
      instance: "one",
      ...more,
    });

    it("registers nothing in a preview", async () => {
      await directorRuntime.create(context(true), inputs());
      assert.equal(double.runtimes.size, 0);
    });

    it("keeps labels and a condition that others set", async () => {
      const { id, state } = await directorRuntime.create(context(), inputs());
      assert.equal(state.runtimeId, id);
      await director().amend(id, { labels: { gardenerClusterName: "acme" }, statusCondition: "CONNECTED" });
      const old = { inputs: inputs(), state };
      await directorRuntime.update(context(), id, old, inputs({ name: "acme-2", labels: { team: "x" } }));
      const labels = { team: "x", gardenerClusterName: "acme", stackyard_instance: "one" };
      assert.deepEqual(only(), [{ name: "acme-2", labels, condition: "CONNECTED" }]);
    });

    it("sends no request if only the access to the Director changes", async () => {
      const { id, state } = await directorRuntime.create(context(), inputs());
      const asked = double.asked.length;
      const next = inputs({ clientSecret: "rotated" });
      const updated = await directorRuntime.update(context(), id, { inputs: inputs(), state }, next);
      assert.equal(updated.clientSecret, "rotated");
      assert.equal(double.asked.length, asked);
    });

    it("reads external changes, and is missing once it is unregistered", async () => {
      const { id, state } = await directorRuntime.create(context(), inputs());
      await director().update(id, { name: "other", labels: { region: "us", more: 1 } });
      const found = await directorRuntime.read(context(), id, { inputs: inputs(), state });
      assert.deepEqual([found?.inputs.name, found?.inputs.labels], ["other", { region: "us" }]);
      await directorRuntime.delete(context(), id, { inputs: inputs(), state });
      assert.equal(await directorRuntime.read(context(), id, { inputs: inputs(), state }), undefined);
    });

    describe("after an interrupted registration", () => {
      const ID = "instance/one";
      const old = () => ({ inputs: inputs(), state: inputs() });
      const ids = () => [...double.runtimes.keys()];

      it("is unregistered by a destroy, whether or not it was registered", async () => {
        await directorRuntime.delete(context(), ID, old());
        await directorRuntime.create(context(), inputs());
        await directorRuntime.create(context(), inputs({ name: "other", instance: "two" }));
        await directorRuntime.delete(context(), ID, old());
        assert.deepEqual(
          only().map(({ name }) => name),
          ["other"],
        );
      });

      it("is registered once by the next update and found by a refresh", async () => {
        assert.equal(await directorRuntime.read(context(), ID, old()), undefined);
        const { runtimeId } = await directorRuntime.update(context(), ID, old(), inputs());
        assert.deepEqual(ids(), [runtimeId]);
        assert.equal((await directorRuntime.update(context(), ID, old(), inputs())).runtimeId, runtimeId);
        assert.deepEqual(ids(), [runtimeId]);
        assert.equal((await directorRuntime.read(context(), ID, old()))?.state.runtimeId, runtimeId);
        const settled = { inputs: inputs(), state: inputs({ runtimeId }) };
        await directorRuntime.update(context(), ID, settled, inputs({ name: "acme-2" }));
        assert.equal(only()[0]?.name, "acme-2");
        await directorRuntime.delete(context(), ID, settled);
        assert.deepEqual(ids(), []);
      });
    });

    it("adopts the registration of its owner after a lost stack, and of no other owner", async () => {
      const mine = { owner: "organization/stackyard/dev/acme" };
      const { id } = await directorRuntime.create(context(), inputs(mine));
      const next = inputs({ ...mine, instance: "two", labels: { team: "x" } });
      assert.equal((await directorRuntime.create(context(), next)).id, id);
      const labels = { region: "eu", team: "x", stackyard_instance: "two", stackyard_owner: mine.owner };
      assert.deepEqual(only(), [{ name: "acme", labels, condition: "INITIAL" }]);
      const other = inputs({ owner: "organization/stackyard/prod/acme", instance: "three" });
      await assert.rejects(directorRuntime.create(context(), other), /not unique/);
    });

    it("is replaced only if the tenant changes", async () => {
      const changes = async (more: object) =>
        (
          await directorRuntime.diff(
            context(),
            "x",
            { inputs: inputs(), state: { ...inputs(), runtimeId: "x" } },
            inputs(more),
          )
        ).changes;
      assert.deepEqual(await changes({ tenant: "t2" }), { tenant: "update-replace" });
      assert.deepEqual(await changes({ url: "https://new/graphql", name: "b" }), { name: "update", url: "update" });
    });

    it("rejects inputs that a Director would reject, before it sends a request", async () => {
      const given = { ...inputs({ name: "Acme!", labels: { "a-b": 1 }, url: "ftp://x", clientSecret: "" }) };
      const { failures } = await directorRuntime.check(context(), given);
      assert.deepEqual(failures.map(({ property }) => property).sort(), ["clientSecret", "labels", "name", "url"]);
    });
  });
});
