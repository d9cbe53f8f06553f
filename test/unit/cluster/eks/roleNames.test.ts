import { Provider } from "@pulumi/aws/provider";
import assert from "node:assert/strict";
import { checkRoleNames } from "../../../../components/cluster/eks/preflight/roleNames";
import type { StateResource } from "../../../../components/resources/ownState";
import { mock, type Recorder } from "../../runtime/mocks";

const config = { name: "acme", region: "eu-west-1", roles: {} };
const arn = "arn:aws:iam::123456789012:role/acme-control-plane";
const role = { arn, createDate: "2026-01-02T03:04:05Z", tags: { team: "data" } };
const owned = (name: string): StateResource => ({ type: "aws:iam/role:Role", outputs: { name } });

describe("names of roles, of which an account has each once", () => {
  let recorder: Recorder;
  const asked = () => recorder.calls.map(({ inputs }) => inputs["name"]);
  function check(answer: () => Record<string, unknown>, of: object = {}, state: readonly StateResource[] = []) {
    recorder = mock(() => ({}), answer, "prod");
    return checkRoleNames({ ...config, ...of }, state, new Provider("aws", { region: "eu-west-1" }));
  }
  const none = (): never => {
    throw new Error("reading IAM Role (acme-control-plane): couldn't find resource");
  };

  it("are refused before anything is created where another cluster of the name has them, with the line that helps", async () => {
    await assert.rejects(
      check(() => role),
      (error: Error) => {
        assert.match(
          error.message,
          /^stackyard:cluster\.roles\.prefix: found "acme", and the account has the role arn:/,
        );
        assert.match(
          error.message,
          /created on 2026-01-02T03:04:05Z with the tags team=data, which this stack does not/,
        );
        assert.match(
          error.message,
          /^ {2}pulumi config set --stack prod --path stackyard:cluster\.roles\.prefix acme-eu-west-1$/m,
        );
        return true;
      },
    );
    await assert.rejects(
      check(() => role, { roles: { prefix: "mine" } }),
      /found "mine"/,
    );
    assert.deepEqual(asked(), ["mine-control-plane"]);
  });

  it("are fine where nobody has them, and where the deployer may not ask", async () => {
    await check(none);
    assert.deepEqual(asked(), ["acme-control-plane"]);
    await check(() => {
      throw new Error("AccessDenied: not authorized to perform iam:GetRole");
    });
  });

  it("stay as they are for a stack that has them, without a question", async () => {
    await check(() => role, {}, [owned("acme-control-plane")]);
    assert.deepEqual(asked(), []);
  });
});
