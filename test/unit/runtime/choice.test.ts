import assert from "node:assert/strict";
import fc from "fast-check";
import { settleProvisioner, wantedProvisioner } from "../../../components/runtime/choice";
import { ChoiceError } from "../../../components/runtime/choiceError";
import type { Platform } from "../../../components/runtime/platform/platform";
import { DEPLOYMENT, PLATFORM } from "./platform";

const without = (name: string): Platform => ({
  ...PLATFORM,
  provisioners: Object.fromEntries(Object.entries(PLATFORM.provisioners).filter(([key]) => key !== name)),
});

const fails = (run: () => unknown, message: RegExp): void => {
  assert.throws(run, (error: Error) => error instanceof ChoiceError && message.test(error.message));
};

describe("the provisioner that a deployment wants", () => {
  it("is its own, else its environment's, else the default", () => {
    const wanted = (change: object) => wantedProvisioner(PLATFORM, { ...DEPLOYMENT, ...change });
    assert.deepEqual(wanted({ provisioner: "us", environment: "dev" }), { provisioner: "us", explicit: true });
    assert.deepEqual(wanted({ environment: "dev" }), { provisioner: "shared", explicit: false });
    assert.deepEqual(wanted({}), { provisioner: "eu", explicit: false });
  });

  it("must be in the set; the error names the set and the nearest", () => {
    fails(
      () => wantedProvisioner(PLATFORM, { ...DEPLOYMENT, provisioner: "eu-nxt" }),
      /deployment "acme": found provisioner "eu-nxt"; expected one of the platform's set: shared, eu, eu-next, us; did you mean eu-next\?/,
    );
    fails(
      () => wantedProvisioner(without("shared"), { ...DEPLOYMENT, environment: "dev" }),
      /found the provisioner of environment "dev" "shared"; expected one of/,
    );
    fails(() => wantedProvisioner(without("eu"), DEPLOYMENT), /found the default provisioner "eu"/);
  });

  it("is not taken from what every object has", () => {
    fails(
      () => wantedProvisioner(PLATFORM, { ...DEPLOYMENT, provisioner: "constructor" }),
      /"constructor"; expected one of/,
    );
    assert.equal(wantedProvisioner(PLATFORM, { ...DEPLOYMENT, environment: "toString" }).provisioner, "eu");
  });
});

describe("the provisioner that a deployment gets", () => {
  const settle = (change: object, current: { present?: string; move?: string }, platform = PLATFORM) =>
    settleProvisioner(
      platform,
      { ...DEPLOYMENT, ...change },
      { ...current, present: current.present === undefined ? undefined : { provisioner: current.present } },
    );

  it("is the wanted one the first time", () => {
    assert.equal(settle({}, {}), "eu");
  });

  it("stays when a default changes", () => {
    assert.equal(settle({}, { present: "us" }), "us");
    assert.equal(settle({ environment: "dev" }, { present: "us" }), "us");
  });

  it("changes only where the deployment asks for another one and the move to it is allowed", () => {
    assert.equal(settle({ provisioner: "us" }, { present: "eu", move: "us" }), "us");
    fails(
      () => settle({ provisioner: "us" }, { present: "eu" }),
      /is with provisioner "eu"; found "us" wanted.*stackyard runtime up acme --provisioner us --move.*pulumi config set move us && pulumi up/,
    );
    fails(
      () => settle({ provisioner: "us" }, { present: "eu", move: "shared" }),
      /found a permitted move to "shared".*requests "us"/,
    );
  });

  it("follows a default that changed where the move to it is allowed", () => {
    assert.equal(settle({}, { present: "us", move: "eu" }), "eu");
  });

  it("is the present one where the move is to the present one", () => {
    assert.equal(settle({}, { present: "eu", move: "eu" }), "eu");
    assert.equal(settle({}, { present: "us", move: "us" }), "us");
    assert.equal(settle({ provisioner: "us" }, { present: "us" }), "us");
  });

  it("is an error with a way out where the present one is gone from the set", () => {
    fails(
      () => settle({}, { present: "us" }, without("us")),
      /is with provisioner "us", which is no longer in the platform's set; restore the provisioner, or move the deployment to "eu" with: stackyard runtime up acme --provisioner eu --move/,
    );
    assert.equal(settle({}, { present: "us", move: "eu" }, without("us")), "eu");
  });

  it("is never another one than the present or the one that a move was allowed to", () => {
    const names = fc.constantFrom(...Object.keys(PLATFORM.provisioners), "gone");
    const maybe = fc.option(names, { nil: undefined });
    fc.assert(
      fc.property(names, maybe, maybe, (present, move, provisioner) => {
        let got: string;
        try {
          got = settle({ provisioner }, { present, move });
        } catch (error) {
          assert.ok(error instanceof ChoiceError);
          return;
        }
        assert.ok(got === present || got === move);
        assert.ok(Object.hasOwn(PLATFORM.provisioners, got));
      }),
    );
  });
});
