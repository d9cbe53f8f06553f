import assert from "node:assert/strict";
import { ApiError } from "../../../kubernetes/client/apiError";
import type { Ref } from "../../../kubernetes/objects/objects";
import type { Work } from "../../../kubernetes/work/work";
import { blockersOf, unblocked } from "../../../provider/resources/bundleRelease/apply/unblock";

const ref = (apiVersion: string, kind: string): Ref => ({ apiVersion, kind, namespace: "shop", name: "a" });
const POLICY = ref("kyverno.io/v1", "ClusterPolicy");

/** Messages of Kubernetes 1.36, Kyverno and Gatekeeper. */
const REJECTIONS = [
  'Internal error occurred: failed calling webhook "a.example.com": failed to call webhook: service "a" not found',
  'admission webhook "validate.kyverno.svc-fail" denied the request: resource ConfigMap/shop/a was blocked',
  'admission webhook "validation.gatekeeper.sh" denied the request: [owners] you must provide labels: {"owner"}',
  'Internal error occurred: admission webhook "a.example.com" attempted to modify the object, which is not supported',
  `configmaps "a" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: failed expression: false`,
  `policy 'p' with binding 'b' denied request: composited variable "x" fails to evaluate`,
  'pods "a" is forbidden: exceeded quota: few, requested: pods=1, used: pods=1, limited: pods=1',
  'pods "a" is forbidden: failed quota: few: must specify limits.cpu for: main',
  'pods "a" is forbidden: status unknown for quota: few, resources: pods',
  'pods "a" is forbidden: minimum cpu usage per Container is 100m, but request is 10m',
  'pods "a" is forbidden: maximum nvidia.com/gpu usage per Pod is 1, but limit is 2',
  'pods "a" is forbidden: memory max limit to request ratio per Container is 2, but provided ratio is 4.000000',
];

describe("a rejection by an object of the release itself", () => {
  const attempts = async (message: string, leaving: readonly Ref[]): Promise<readonly string[]> => {
    const done: string[] = [];
    const remove = (refs: readonly Ref[]) => Promise.resolve(void done.push(`removes ${refs.length}`));
    const work = { log: () => undefined, signal: new AbortController().signal } as unknown as Work;
    const blockers = { ...blockersOf([], [], leaving), remove, apply: () => Promise.resolve() };
    const attempt = (): Promise<void> => {
      if (done.push("tries") === 1) return Promise.reject(new ApiError(message, 403, "Forbidden"));
      return Promise.resolve();
    };
    await unblocked(work, blockers, attempt).catch((error: unknown) => done.push(String(error)));
    return done;
  };

  for (const message of REJECTIONS) {
    it(`is repeated after the removal of what may be why: ${message}`, async () => {
      assert.deepEqual(await attempts(message, [POLICY]), ["tries", "removes 1", "tries"]);
    });
  }

  it("is reported if nothing that leaves may be why, or the message is another one", async () => {
    const [message = ""] = REJECTIONS;
    assert.deepEqual(await attempts(message, [ref("v1", "ConfigMap")]), ["tries", `ApiError: ${message}`]);
    const other = 'configmaps "a" is forbidden: User "ann" cannot patch resource "configmaps"';
    assert.deepEqual(await attempts(other, [POLICY]), ["tries", `ApiError: ${other}`]);
  });

  it("may come from webhooks, policies, quotas and limits", () => {
    const rejecting = [
      POLICY,
      ref("policies.kyverno.io/v1", "ValidatingPolicy"),
      ref("constraints.gatekeeper.sh/v1beta1", "K8sRequiredLabels"),
      ref("templates.gatekeeper.sh/v1", "ConstraintTemplate"),
      ref("admissionregistration.k8s.io/v1", "MutatingAdmissionPolicyBinding"),
      ref("v1", "ResourceQuota"),
      ref("v1", "LimitRange"),
    ];
    const others = [ref("apps/v1", "Deployment"), ref("example.com/v1", "ResourceQuota"), ref("v1", "Secret")];
    assert.deepEqual(blockersOf([], [], [...others, ...rejecting]).leaving, rejecting);
  });
});
