import assert from "node:assert/strict";
import { renderPath } from "../../../foundation/schema/faults";
import { checkRequests, type RequestContext } from "../../../cli/fleet/checkRequests";
import { parseRequests } from "../../../cli/fleet/requests";

const DEV = "organization/stackyard/dev";

const context: RequestContext = {
  defaultPlatform: DEV,
  platforms: new Map([
    [DEV, { provisionerRevisions: { spot: "a", shared: "b" } }],
    ["organization/stackyard/old", {}],
    ["organization/stackyard/dvv", undefined],
  ]),
  runtimes: new Map([
    ["there", { exists: true, platform: DEV, provisioner: "shared" }],
    ["lost", { exists: true, platform: "organization/stackyard/dvv" }],
  ]),
};

const faults = (text: string, around = context): string[] =>
  checkRequests(parseRequests(text, "x.yaml"), around).map(({ path, message }) => `${renderPath(path)}: ${message}`);

describe("the check of requests against existing runtimes", () => {
  it("passes if everything that the requests name exists", () => {
    assert.deepEqual(
      faults(
        "there: {slots: 2}\nnew: {version: v1, provisioner: spot}\nx: {version: v1, platform: old, provisioner: y}",
      ),
      [],
    );
  });

  it("reports a missing version, platform or provisioner, and a move", () => {
    assert.deepEqual(
      faults(
        "new: {provisioner: spott}\nthere: {provisioner: spot}\nx: {version: v1, platform: dvv}\nlost: {slots: 1}",
      ),
      [
        'new.version: found nothing; expected an image tag in quotes, such as "0.50.2", because the runtime is new',
        `new.provisioner: found "spott"; expected one of the set of ${DEV}: spot, shared; did you mean spot`,
        'there.provisioner: found "spot"; expected "shared", where the runtime is, because a file moves none; move it with: stackyard runtime up there --provisioner spot --move',
        `x.platform: found "organization/stackyard/dvv"; expected a platform stack that is up; did you mean ${DEV}`,
        `lost.platform: found "organization/stackyard/dvv"; expected a platform stack that is up (this is the one that it is on); did you mean ${DEV}`,
      ],
    );
  });
});
