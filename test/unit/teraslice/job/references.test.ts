import { fault, fine } from "./faults";

const reader = (_op: string, more: object = {}) => ({ operations: [{ _op, ...more }, { _op: "noop" }] });

describe("references in a job", () => {
  it("must name assets that the job lists, in the same form", () => {
    fine({ ...reader("reader@standard"), assets: ["standard"] });
    fine({ ...reader("reader@standard:1.0.0"), assets: ["standard:1.0.0"] });
    fine({ ...reader("reader"), assets: ["standard:1.0.0"], apis: [{ _name: "api@standard:1.0.0:tag" }] });
    fine({ ...reader("reader"), assets: ["standard"], apis: [{ _name: "api@standard:tag" }, { _name: "api:0" }] });
    fault(
      /^operations\[0\]\._op: found "reader@standrad"; expected an asset after @ .*, standard; did you mean standard$/,
      {
        ...reader("reader@standrad"),
        assets: ["standard"],
      },
    );
    fault(/^operations\[0\]\._op: .* and it lists none/, reader("reader@standard"));
    fault(/^apis\[0\]\._name: .*expected an asset after @/, { ...reader("reader"), apis: [{ _name: "api@standard" }] });
  });

  it("cause a warning if they name an API that the job does not have", () => {
    fine({ ...reader("reader", { _api_name: "search:0" }), apis: [{ _name: "search:0" }] });
    fault(
      /^warning: operations\[0\]\._api_name: found "serch", which is none of the job's apis; .*did you mean search$/,
      {
        ...reader("reader", { _api_name: "serch" }),
        apis: [{ _name: "search" }],
      },
    );
  });
});
