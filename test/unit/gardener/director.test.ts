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

  it("registers a runtime with its labels, and gives it an id", async () => {
    const id = await director().register({ name: "acme", description: "d", labels: { region: "eu" } }, MARK);
    assert.deepEqual([...double.runtimes.keys()], [id]);
    assert.deepEqual(only(), [
      { name: "acme", labels: { region: "eu", stackyard_instance: "one" }, condition: "INITIAL" },
    ]);
  });

  it("registers it once though the connection is cut before or after the work, or the answer is an error", async () => {
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

  it("gives up after three tries, and at once where trying again is of no use", async () => {
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

  it("asks for one token for many requests, and for another when that is refused or over", async () => {
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

  it("says what is wrong with credentials and tenants, without the secret", async () => {
    await assert.rejects(director({ clientSecret: "wrong-one" }).get("x"), (error: Error) => {
      assert.match(error.message, /gave no token: HTTP status 401; check clientId, clientSecret and the scopes/);
      assert.doesNotMatch(error.message, /wrong-one/);
      return true;
    });
    await assert.rejects(director({ tenant: "tenant-2" }).oneTimeToken("x"), /Tenant not found.*check the tenant/);
  });

  it("takes a null result and another runtime's id for errors", async () => {
    const id = await director().register({ name: "acme" }, MARK);
    double.troubles.push({ kind: "nullResult" });
    await assert.rejects(director().oneTimeToken(id), /a result without token or connectorURL/);
    double.troubles.push({ kind: "nullResult" });
    await assert.rejects(director().update(id, { name: "acme" }), /a result without an id/);
    double.troubles.push({ kind: "nullResult" });
    await assert.rejects(director().unregister(id), /a result without an id/);
  });

  it("changes labels and condition and leaves the rest", async () => {
    const id = await director().register({ name: "acme", labels: { a: 1 } }, MARK);
    await director().amend(id, { labels: { gardenerClusterName: "acme" }, statusCondition: "PROVISIONING" });
    await director().amend(id, { labels: { b: 2 } });
    const labels = { a: 1, b: 2, gardenerClusterName: "acme", stackyard_instance: "one" };
    assert.deepEqual(only(), [{ name: "acme", labels, condition: "PROVISIONING" }]);
  });

  it("unregisters what is there, and takes what is gone for done", async () => {
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

    it("keeps labels and the condition that somebody else set", async () => {
      const { id, state } = await directorRuntime.create(context(), inputs());
      assert.equal(state.runtimeId, id);
      await director().amend(id, { labels: { gardenerClusterName: "acme" }, statusCondition: "CONNECTED" });
      const old = { inputs: inputs(), state };
      await directorRuntime.update(context(), id, old, inputs({ name: "acme-2", labels: { team: "x" } }));
      const labels = { team: "x", gardenerClusterName: "acme", stackyard_instance: "one" };
      assert.deepEqual(only(), [{ name: "acme-2", labels, condition: "CONNECTED" }]);
    });

    it("asks nobody where only the way to the Director changed", async () => {
      const { id, state } = await directorRuntime.create(context(), inputs());
      const asked = double.asked.length;
      const next = inputs({ clientSecret: "rotated" });
      const updated = await directorRuntime.update(context(), id, { inputs: inputs(), state }, next);
      assert.equal(updated.clientSecret, "rotated");
      assert.equal(double.asked.length, asked);
    });

    it("is gone when it is not registered any more, and shows what somebody changed", async () => {
      const { id, state } = await directorRuntime.create(context(), inputs());
      await director().update(id, { name: "other", labels: { region: "us", more: 1 } });
      const found = await directorRuntime.read(context(), id, { inputs: inputs(), state });
      assert.deepEqual([found?.inputs.name, found?.inputs.labels], ["other", { region: "us" }]);
      await directorRuntime.delete(context(), id, { inputs: inputs(), state });
      assert.equal(await directorRuntime.read(context(), id, { inputs: inputs(), state }), undefined);
    });

    describe("whose registration was interrupted", () => {
      const ID = "instance/one";
      const old = () => ({ inputs: inputs(), state: inputs() });
      const ids = () => [...double.runtimes.keys()];

      it("is unregistered by a destroy, also where it never came to be", async () => {
        await directorRuntime.delete(context(), ID, old());
        await directorRuntime.create(context(), inputs());
        await directorRuntime.create(context(), inputs({ name: "other", instance: "two" }));
        await directorRuntime.delete(context(), ID, old());
        assert.deepEqual(
          only().map(({ name }) => name),
          ["other"],
        );
      });

      it("is registered once by the next update, and shown by a refresh", async () => {
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

    it("takes the registration of its owner over, whose stack was lost, and nobody else's", async () => {
      const mine = { owner: "organization/stackyard/dev/acme" };
      const { id } = await directorRuntime.create(context(), inputs(mine));
      const next = inputs({ ...mine, instance: "two", labels: { team: "x" } });
      assert.equal((await directorRuntime.create(context(), next)).id, id);
      const labels = { region: "eu", team: "x", stackyard_instance: "two", stackyard_owner: mine.owner };
      assert.deepEqual(only(), [{ name: "acme", labels, condition: "INITIAL" }]);
      const other = inputs({ owner: "organization/stackyard/prod/acme", instance: "three" });
      await assert.rejects(directorRuntime.create(context(), other), /not unique/);
    });

    it("is replaced in another tenant only", async () => {
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

    it("refuses what a Director would refuse, before it is asked", async () => {
      const given = { ...inputs({ name: "Acme!", labels: { "a-b": 1 }, url: "ftp://x", clientSecret: "" }) };
      const { failures } = await directorRuntime.check(context(), given);
      assert.deepEqual(failures.map(({ property }) => property).sort(), ["clientSecret", "labels", "name", "url"]);
    });
  });
});
