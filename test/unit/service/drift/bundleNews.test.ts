import assert from "node:assert/strict";
import {
  newsOf,
  reasonOf,
  secondsUntilNext,
  shownOf,
  streakAfter,
  type Result,
} from "../../../../service/drift/bundleNews";

const restored = (...objects: string[]): Result => ({
  standing: "repaired",
  repaired: objects.map((object) => ({ object, text: "it was missing" })),
  left: [],
});
const clean: Result = { ...restored(), standing: "clean" };
const differing: Result = {
  ...clean,
  standing: "differs",
  left: [{ object: "ConfigMap a", text: "it is being deleted" }],
};

describe("the result of a reconciliation", () => {
  const news = (result: Result, { reason = null as string | null, warned = false, streak = 1 } = {}) => {
    const found = newsOf({ reason }, result, reasonOf(result), { streak, warned });
    return found && `${found.level}: ${found.text}`;
  };

  it("is repeated later and later while each look restores something", () => {
    assert.deepEqual(
      [0, 1, 2, 3, 20].map((streak) => secondsUntilNext(600, streak, 0.5)),
      [600, 600, 1200, 2400, 86_400],
    );
    assert.deepEqual(
      [0, 1].map((random) => secondsUntilNext(600, 0, random)),
      [540, 660],
    );
    assert.equal(secondsUntilNext(604_800, 9, 0.5), 604_800);
    assert.deepEqual([streakAfter({ streak: 2 }, restored("a")), streakAfter({ streak: 2 }, clean)], [3, 0]);
  });

  it("is reported when it is new", () => {
    assert.equal(news(clean), undefined);
    assert.equal(news(clean, { warned: true, reason: "x" }), "info: it is as it was applied again");
    assert.equal(news(restored("Secret b")), "info: restored 1 object\nSecret b: it was missing");
    const text = "ConfigMap a: it is being deleted";
    assert.equal(news(differing), `warning: ${text}`);
    assert.equal(news(differing, { reason: text, warned: true }), undefined);
    assert.equal(news(differing, { reason: "other", warned: true }), `warning: ${text}`);
    const failed: Result = { ...clean, standing: "failed", reason: "it must be approved" };
    assert.equal(news(failed), "warning: it must be approved");
    assert.equal(news({ ...clean, standing: "busy", reason: "an update" }), undefined);
  });

  it("warns once when something changes the bundle again and again", () => {
    assert.match(
      news(restored("a"), { streak: 3 }) ?? "",
      /^warning: something .* each of the last 3 looks restored 1 object\na: it was missing$/s,
    );
    assert.equal(news(restored("a"), { streak: 4, warned: true }), undefined);
  });

  it("shows what was restored until something else is, and who works against it", () => {
    const managers = (...names: string[]) => ({ object: "ConfigMap a", text: "data.a", managers: names });
    assert.deepEqual(shownOf(clean), { restored: undefined, managers: [] });
    const fought: Result = {
      standing: "differs",
      repaired: [managers("b", "a")],
      left: [managers("c"), managers("b")],
    };
    assert.deepEqual(shownOf(fought), {
      restored: [{ object: "ConfigMap a", text: "data.a" }],
      managers: ["a", "b", "c"],
    });
    assert.equal(shownOf(restored(...Array.from({ length: 101 }, () => "Secret b"))).restored?.length, 100);
  });

  it("is cut where it is long", () => {
    const long: Result = { ...clean, standing: "failed", reason: "x".repeat(5_000) };
    assert.equal(reasonOf(long)?.length, 2_001);
    const many = restored(...Array.from({ length: 12 }, (_, number) => `ConfigMap ${number}`));
    assert.match(news(many) ?? "", /restored 12 objects\n[^]*and 2 more$/);
  });
});
