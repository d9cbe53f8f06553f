import assert from "node:assert/strict";
import { ApiError } from "../../../kubernetes/client/apiError";
import type { Client } from "../../../kubernetes/client/client";
import { Looks } from "../../../service/gardener/looks";

const ref = (name: string) => ({
  ...{ apiVersion: "core.gardener.cloud/v1beta1", kind: "Shoot", namespace: "garden-dev", name },
});
const shoot = (name: string, uid: string) => ({ ...ref(name), metadata: { name, uid } });
const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `s${at}`);

/** A garden in which every Shoot but `gone` exists; its uid is the number of the request. */
function garden({ list: refused, answer = () => Promise.resolve() }: Fake = {}) {
  const asked: string[] = [];
  const client = {
    get: async ({ name }: { name: string }) => {
      asked.push(name);
      await answer();
      return name === "gone" ? undefined : shoot(name, String(asked.length));
    },
    list: async () => {
      const at = asked.push("list");
      await answer();
      if (refused) throw refused;
      return names(300).map((name) => shoot(name, String(at)));
    },
  };
  return { asked, looks: new Looks(client as unknown as Client, 20) };
}

interface Fake {
  readonly list?: Error;
  readonly answer?: () => Promise<void>;
}

describe("looks at the Shoots of a garden", () => {
  it("are one list for all that wait, and one request for each of a few", async () => {
    const { asked, looks } = garden();
    const found = await Promise.all([...names(200), "gone"].map((name) => looks.of(ref(name))));
    assert.deepEqual(asked, ["list"]);
    assert.deepEqual(
      found.map((one) => one?.metadata.name),
      [...names(200), undefined],
    );
    assert.equal((await looks.of(ref("s1")))?.metadata.name, "s1");
    assert.equal(await looks.of(ref("gone")), undefined);
    assert.deepEqual(asked, ["list", "s1", "gone"]);
  });

  it("never show what was read before they were asked for", async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { asked, looks } = garden({ answer: () => held });
    const early = names(5).map((name) => looks.of(ref(name)));
    while (asked.length === 0) await new Promise(setImmediate);
    const late = names(5).map((name) => looks.of(ref(name)));
    release();
    const uids = async (all: typeof early) => new Set((await Promise.all(all)).map((one) => one?.metadata.uid));
    assert.deepEqual([...(await uids(early)), ...(await uids(late))], ["1", "2"]);
  });

  it("are made one by one where the account may not list Shoots", async () => {
    const { asked, looks } = garden({ list: new ApiError("no", 403, "Forbidden") });
    await Promise.all(names(4).map((name) => looks.of(ref(name))));
    assert.deepEqual(asked, ["list", ...names(4)]);
  });

  it("fail together with the error of their list, and the next ones are made", async () => {
    const { asked, looks } = garden({ list: new ApiError("busy", 503, "") });
    const all = await Promise.allSettled(names(4).map((name) => looks.of(ref(name))));
    assert.deepEqual(
      all.map((one) => (one.status === "rejected" ? (one.reason as Error).message : "")),
      ["busy", "busy", "busy", "busy"],
    );
    assert.equal((await looks.of(ref("s1")))?.metadata.name, "s1");
    assert.equal(asked.length, 2);
  });

  it("are given up alone when their operation is", async () => {
    const { looks } = garden({ answer: () => new Promise((resolve) => setTimeout(resolve, 20)) });
    const controller = new AbortController();
    const given = looks.of(ref("s1"), controller.signal);
    const kept = looks.of(ref("s2"));
    controller.abort(new Error("canceled"));
    await assert.rejects(given, /canceled/);
    assert.equal((await kept)?.metadata.name, "s2");
  });
});
