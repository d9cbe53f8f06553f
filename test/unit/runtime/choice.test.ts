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

describe("the requested provisioner of a deployment", () => {
  it("is the deployment's own, else the environment's, else the default provisioner", () => {
    const wanted = (change: object) => wantedProvisioner(PLATFORM, { ...DEPLOYMENT, ...change });
    assert.deepEqual(wanted({ provisioner: "us", environment: "dev" }), { provisioner: "us", explicit: true });
    assert.deepEqual(wanted({ environment: "dev" }), { provisioner: "shared", explicit: false });
    assert.deepEqual(wanted({}), { provisioner: "eu", explicit: false });
  });

  it("must be in the set, and the error names the set and the closest match", () => {
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

  it("is not looked up in inherited properties", () => {
    fails(
      () => wantedProvisioner(PLATFORM, { ...DEPLOYMENT, provisioner: "constructor" }),
      /"constructor"; expected one of/,
    );
    assert.equal(wantedProvisioner(PLATFORM, { ...DEPLOYMENT, environment: "toString" }).provisioner, "eu");
  });
});

describe("the final provisioner of a deployment", () => {
  const settle = (change: object, current: { present?: string; move?: string }, platform = PLATFORM) =>
    settleProvisioner(
      platform,
      { ...DEPLOYMENT, ...change },
      { ...current, present: current.present === undefined ? undefined : { provisioner: current.present } },
    );

  it("is the requested provisioner in the first run", () => {
    assert.equal(settle({}, {}), "eu");
  });

  it("stays the same when a default changes", () => {
    assert.equal(settle({}, { present: "us" }), "us");
    assert.equal(settle({ environment: "dev" }, { present: "us" }), "us");
  });

  it("changes only if the deployment requests another provisioner and the move is allowed", () => {
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

  it("follows a changed default if the move is allowed", () => {
    assert.equal(settle({}, { present: "us", move: "eu" }), "eu");
  });

  it("stays the same if the move is to the current provisioner", () => {
    assert.equal(settle({}, { present: "eu", move: "eu" }), "eu");
    assert.equal(settle({}, { present: "us", move: "us" }), "us");
    assert.equal(settle({ provisioner: "us" }, { present: "us" }), "us");
  });

  it("is an error with advice if the current provisioner is no longer in the set", () => {
    fails(
      () => settle({}, { present: "us" }, without("us")),
      /is with provisioner "us", which is no longer in the platform's set; restore the provisioner, or move the deployment to "eu" with: stackyard runtime up acme --provisioner eu --move/,
    );
    assert.equal(settle({}, { present: "us", move: "eu" }, without("us")), "eu");
  });

  it("is always the current provisioner or the target of an allowed move", () => {
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
