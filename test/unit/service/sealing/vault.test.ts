import assert from "node:assert/strict";
import { parseKeys } from "../../../../service/database/sealing/keys";
import { opened, RequestOf, sealed } from "../../../../service/database/sealing/requests";
import { SealError, Vault } from "../../../../service/database/sealing/vault";

const key = (id: string, fill: number) => ({ id, key: Buffer.alloc(32, fill) });
const place = ["red", "acme", "deployment", "kyma"];

describe("sealed values", () => {
  const vault = new Vault([key("new", 2), key("old", 1)]);

  it("name their key, reveal nothing about the value, and never repeat", () => {
    const [one, two] = [vault.seal("hush", place), vault.seal("hush", place)];
    assert.match(one.sealed, /^v1:new:[\w-]+$/);
    assert.notEqual(one.sealed, two.sealed);
    assert.ok(!Buffer.from(one.sealed.split(":")[2] ?? "", "base64url").includes("hush"));
    for (const value of ["hush", "", "ä".repeat(10_000), { a: [1, null] }]) {
      assert.deepEqual(vault.open(vault.seal(value, place), place), value);
    }
  });

  it("are opened with any of the keys, and sealed with the first key", () => {
    const before = new Vault([key("old", 1)]).seal("hush", place);
    assert.equal(vault.open(before, place), "hush");
    assert.deepEqual([vault.isCurrent(before), vault.isCurrent(vault.seal("hush", place))], [false, true]);
  });

  it("cannot be opened with a wrong key, after a change, or in another place", () => {
    const text = vault.seal("hush", place);
    assert.throws(() => new Vault([key("old", 1)]).open(text, place), {
      name: "SealError",
      message: "red.acme.deployment.kyma is sealed with key new; expected APP_ENCRYPTION_KEYS to have it",
    });
    const cant = (work: () => unknown): void => assert.throws(work, /can't be opened with key (new|old)/);
    cant(() => new Vault([key("new", 3)]).open(text, place));
    cant(() => vault.open(text, ["red", "other", "deployment", "kyma"]));
    cant(() => vault.open({ sealed: text.sealed.replace(":new:", ":old:") }, place));
    const last = text.sealed.at(-2);
    cant(() => vault.open({ sealed: `${text.sealed.slice(0, -2)}${last === "A" ? "B" : "A"}A` }, place));
    cant(() => vault.open({ sealed: "v1:new:AAAA" }, place));
    assert.throws(() => vault.open({ sealed: "v9:new:AAAA" }, place), /a form that this version does not know/);
    assert.throws(() => new Vault().seal("hush", place), SealError);
  });

  it("replace the secrets of a request, and are opened only in their place and for its owner", () => {
    const owner = { tenant: "red", deployment: "acme" };
    const entry = { key: "global.password", value: "hush", secret: true };
    const request = { deployment: { version: "1", kyma: { version: "2", configuration: [entry] } } };
    const kept = sealed(vault, new RequestOf(owner, request));
    assert.doesNotMatch(JSON.stringify(kept), /hush/);
    assert.deepEqual(opened(vault, owner, kept), request);
    assert.throws(() => opened(vault, { ...owner, tenant: "blue" }, kept), /can't be opened/);
    assert.throws(() => opened(vault, { tenant: "red" }, kept), /has to read its tenant and deployment/);
    // Who can write rows but has no key can't have it shown by saying that it is no secret.
    const bared = structuredClone(kept);
    bared.deployment.kyma.configuration[0]!.secret = false;
    assert.doesNotMatch(JSON.stringify(opened(vault, owner, bared)), /hush/);
    // Rows of before there was a key.
    assert.deepEqual(opened(vault, owner, request), request);
  });

  it("have keys of 32 bytes with unique ids", () => {
    const text = (size: number) => Buffer.alloc(size, 1).toString("base64");
    const keys = parseKeys(`new:${text(32)}, old:${text(32)}`);
    assert.deepEqual(
      keys?.map(({ id }) => id),
      ["new", "old"],
    );
    for (const wrong of ["", text(32), `a:${text(16)}`, `a:${text(33)}`, `a b:${text(32)}`, `a:${text(32)},`]) {
      assert.equal(parseKeys(wrong), undefined, wrong);
    }
    assert.equal(parseKeys(`a:${text(32)},a:${text(32)}`), undefined);
  });
});
