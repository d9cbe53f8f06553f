import assert from "node:assert/strict";
import fc from "fast-check";
import {
  fromObject,
  inTime,
  requestId,
  toObject,
  type Approval,
  type Decision,
} from "../../../bundles/approvals/approval";
import { decidesAboutBundles, DEFINITION, POLICY } from "../../../bundles/approvals/definition";
import { gate, NotApproved, type GateOptions, type Incoming } from "../../../bundles/approvals/gate";
import { approvedBefore, approvalStatus } from "../../../bundles/approvals/status";
import { asks as asksOf, NOTHING, type Asks } from "../../../bundles/permissions/asks";
import { ApiError } from "../../../kubernetes/client/apiError";
import type { Client } from "../../../kubernetes/client/client";
import { UnknownKindError } from "../../../kubernetes/client/discovery";
import type { KubeObject } from "../../../kubernetes/objects/objects";

const bundle = { name: "web", namespace: "shop" };
const digestOf = (letter: string): string => `sha256:${letter.repeat(64)}`;
const [a, b] = [digestOf("a"), digestOf("b")];
const namespaces = (...names: string[]): Asks => ({
  ...NOTHING,
  clusterObjects: names.map((name) => `Namespace ${name}`),
});

const approval = (
  decision: Decision,
  digest: string,
  asks: Asks = NOTHING,
  more: Partial<Approval> = {},
): Approval => ({
  bundle,
  digest,
  decision,
  by: "ada",
  when: new Date(0),
  asks,
  ...more,
});

describe("an approval", () => {
  const words = fc.string({ minLength: 1 }).map((text) => text.replace(/[^\P{C}\n]/gu, "?"));
  const asks = fc.record(
    {
      permissions: fc.array(
        fc.record(
          {
            subject: words,
            namespace: words,
            role: words,
            rules: fc.constant([{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }]),
          },
          { requiredKeys: ["subject", "rules"], noNullPrototype: true },
        ),
      ),
      clusterObjects: fc.array(words),
      webhooks: fc.array(words),
      host: fc.array(words),
      others: fc.array(words),
      lifted: fc.array(words),
    },
    { noNullPrototype: true },
  );

  it("survives a round trip through its object", () => {
    fc.assert(
      fc.property(
        asks,
        fc.constantFrom<Decision>("Requested", "Approved", "Denied"),
        fc.option(words, { nil: undefined }),
        (asked, decision, reason) => {
          const given = approval(decision, a, asked, reason === undefined ? {} : { reason });
          const object = toObject(given, new Date());
          const stored = { ...object, metadata: { ...object.metadata, creationTimestamp: given.when.toISOString() } };
          assert.deepEqual(fromObject(JSON.parse(JSON.stringify(stored)) as KubeObject), given);
        },
      ),
    );
  });

  it("is sorted by time, even within one second of the server's clock", () => {
    const made = (decision: Decision, ms: number): KubeObject => {
      const object = toObject(approval(decision, a), new Date(1_700_000_000_000 + ms));
      return { ...object, metadata: { ...object.metadata, creationTimestamp: "2023-11-14T22:13:20Z" } };
    };
    const decisions = inTime([made("Denied", 500), made("Approved", 900), made("Requested", 1)]).map(
      ({ decision }) => decision,
    );
    assert.deepEqual(decisions, ["Requested", "Denied", "Approved"]);
  });

  it("is ignored if its decision is unknown, and has no control characters in names", () => {
    const object = toObject(approval("Approved", a, NOTHING, { by: "a\u001b[2Jb" }), new Date());
    assert.equal(fromObject(object)?.by, "a?[2Jb");
    assert.equal(fromObject({ ...object, spec: { decision: "Perhaps" } }), undefined);
  });
});

describe("content of a bundle", () => {
  it("is free if it requests nothing, and open if it must be approved", () => {
    assert.deepEqual(approvalStatus([], a, NOTHING), { state: "free" });
    assert.deepEqual(approvalStatus([], a, namespaces("x")), { state: "open", more: namespaces("x") });
    assert.deepEqual(approvalStatus([], a, NOTHING, "always"), { state: "open", more: NOTHING });
    assert.deepEqual(approvalStatus([], a, namespaces("x"), "never"), { state: "free" });
  });

  it("has the status of the latest decision", () => {
    const history = [approval("Approved", a), approval("Denied", a), approval("Requested", a)];
    assert.equal(approvalStatus(history, a, NOTHING).state, "denied");
    assert.equal(approvalStatus(history.slice(0, 1), a, NOTHING).state, "approved");
    assert.equal(approvalStatus([...history, approval("Approved", a)], a, NOTHING, "always").state, "approved");
  });

  it("is open if only other values were denied, and denied if the content itself was denied", () => {
    const [content, withValues, withOthers] = ["sha256:content", "sha256:values", "sha256:others"];
    const denied = [approval("Denied", withValues)];
    assert.equal(approvalStatus(denied, withValues, NOTHING, "always", content).state, "denied");
    assert.deepEqual(approvalStatus(denied, withOthers, NOTHING, "always", content), { state: "open", more: NOTHING });
    const all = [approval("Approved", withOthers), approval("Denied", content)];
    assert.equal(approvalStatus(all, withOthers, NOTHING, "always", content).state, "denied");
  });

  it("is open again if it requests more than was approved for its digest", () => {
    // Who asked reported less than it is, or the values changed that it is rendered with.
    const history = [approval("Approved", a, namespaces("x"))];
    assert.deepEqual(approvalStatus(history, a, namespaces("x", "y")), { state: "open", more: namespaces("y") });
    assert.deepEqual(approvalStatus(history, a, namespaces("x", "y"), "always"), {
      state: "open",
      more: namespaces("y"),
    });
    assert.equal(approvalStatus(history, a, NOTHING, "always").state, "approved");
  });

  it("is free if it is new and requests no more than was approved", () => {
    const history = [approval("Approved", a, namespaces("x", "y")), approval("Requested", b, namespaces("x", "z"))];
    assert.equal(approvalStatus(history, b, namespaces("x")).state, "free");
    assert.deepEqual(approvalStatus(history, b, namespaces("x", "z")), { state: "open", more: namespaces("z") });
    assert.equal(approvalStatus(history, b, namespaces("x"), "always").state, "open");
  });

  it("must be the content that was approved last, if users are confined to it", () => {
    const confined = { confined: ["ci"] };
    const history = [approval("Approved", a, NOTHING, confined), approval("Approved", b, NOTHING, confined)];
    assert.equal(approvalStatus(history, b, NOTHING).state, "approved");
    assert.equal(approvalStatus(history, a, NOTHING).state, "open");
    assert.equal(approvalStatus(history, digestOf("c"), NOTHING).state, "open");
    const denied = [...history, approval("Denied", digestOf("c"), NOTHING, confined)];
    assert.equal(approvalStatus(denied, b, NOTHING).state, "approved");
  });

  it("is not compared with an approval that was denied later", () => {
    const history = [
      approval("Approved", a, namespaces("x")),
      approval("Approved", b, namespaces("y")),
      approval("Denied", b),
    ];
    assert.equal(approvedBefore(history)?.digest, a);
    assert.equal(approvalStatus(history, digestOf("c"), namespaces("y")).state, "open");
    assert.equal(approvedBefore([approval("Denied", a)]), undefined);
  });
});

/** A cluster that keeps approvals in memory. */
class Cluster {
  readonly objects: KubeObject[] = [];
  /** ClusterRoles and their bindings. */
  readonly roles: KubeObject[] = [];
  lists = 0;
  refusal: Error | undefined;
  onList: (lists: number) => void = () => undefined;
  /** What the API server says to a decision in another's name. */
  guard: Error | undefined = new ApiError("spec.by must be the user who makes the approval", 422, "Invalid");

  add(...approvals: Approval[]): this {
    for (const one of approvals) this.objects.push(toObject(one, new Date(this.objects.length)));
    return this;
  }

  readonly client = {
    list: ({ kind }: { kind: string }) => {
      if (kind !== "BundleApproval") return Promise.resolve(this.roles.filter((one) => one.kind === kind));
      this.onList(++this.lists);
      return Promise.resolve([...this.objects]);
    },
    connection: { server: "https://cluster.example" },
    get: () => Promise.resolve(undefined),
    apply: (object: KubeObject, { dryRun = false } = {}) => {
      if (dryRun) return this.guard ? Promise.reject(this.guard) : Promise.resolve(object);
      if (this.refusal) return Promise.reject(this.refusal);
      this.objects.push(object);
      return Promise.resolve(object);
    },
    review: () => Promise.resolve({ status: { userInfo: { username: "ci" } } }),
  } as unknown as Client;
}

describe("the approval gate", () => {
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  const namespace: Incoming = { object: { apiVersion: "v1", kind: "Namespace", metadata: { name: "x", labels } } };
  const harmless: Incoming = {
    object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" } },
    namespace: "shop",
  };
  const reported: string[] = [];
  const options = (more: Partial<GateOptions> = {}): GateOptions => ({
    otherwise: "fail",
    deadline: Date.now() + 60_000,
    signal: new AbortController().signal,
    log: (_severity, message) => reported.push(message),
    ...more,
  });
  const enter = (cluster: Cluster, incoming: readonly Incoming[], more: Partial<GateOptions> = {}) =>
    gate(cluster.client, bundle, a, incoming, options(more));
  const refused = async (work: Promise<unknown>): Promise<string> => {
    const error: unknown = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof NotApproved, String(error));
    return error.message;
  };
  beforeEach(() => reported.splice(0));

  it("admits content that requests nothing, and writes no approval", async () => {
    const cluster = new Cluster();
    assert.equal(await enter(cluster, [harmless]), undefined);
    assert.deepEqual(cluster.objects, []);
  });

  it("admits approved content, and reports who approved it", async () => {
    const cluster = new Cluster().add(approval("Approved", a, namespaces("x")));
    assert.equal((await enter(cluster, [namespace], { when: "always" }))?.by, "ada");
  });

  it("ignores decisions about other bundles", async () => {
    const other = approval("Approved", a, NOTHING, { bundle: { name: "web", namespace: "other" } });
    await refused(enter(new Cluster().add(other), [namespace]));
  });

  it("rejects denied content with the reason", async () => {
    const cluster = new Cluster().add(approval("Denied", a, NOTHING, { reason: "too much" }));
    assert.equal(await refused(enter(cluster, [harmless])), `bundle shop/web at ${a} was denied by ada: too much`);
  });

  it("rejects open content with its requests and the command to approve it, and asks once", async () => {
    const cluster = new Cluster();
    const id = requestId({ digest: a, asks: namespaces("x") });
    for (let times = 0; times < 2; times++) {
      assert.equal(
        await refused(enter(cluster, [namespace, harmless])),
        `bundle shop/web at ${a} must be approved. It requests more than what was approved so far:
  Cluster-scoped objects:
    Namespace x
To approve or deny it in the cluster https://cluster.example:
  kubectl bundle approve web -n shop --request ${id}
  kubectl bundle deny web -n shop --request ${id}`,
      );
    }
    assert.deepEqual(
      inTime(cluster.objects).map(({ decision, by, asks }) => [decision, by, asks]),
      [["Requested", "ci", namespaces("x")]],
    );
  });

  it("shows since when something is new, and who may approve it", async () => {
    const cluster = new Cluster().add(approval("Approved", b, namespaces("y")));
    const apiVersion = "rbac.authorization.k8s.io/v1";
    const rules = (...verbs: string[]) => ({
      rules: [{ apiGroups: ["stackyard.dev"], resources: ["bundleapprovals"], verbs }],
    });
    for (const [name, verb] of [["ada", "approve"] as const, ["ci", "create"] as const]) {
      const subjects = [{ kind: "User", name }];
      cluster.roles.push(
        { apiVersion, kind: "ClusterRole", metadata: { name }, ...rules(verb) },
        {
          apiVersion,
          kind: "ClusterRoleBinding",
          metadata: { name },
          roleRef: { kind: "ClusterRole", name },
          subjects,
        },
      );
    }
    const message = await refused(enter(cluster, [namespace]));
    assert.match(
      message,
      new RegExp(`than what was approved so far \\(${b}, by ada, 1970-01-01T00:00:00\\.000Z\\):\n`),
    );
    assert.match(message, /\nMay approve it: User ada\n/);
  });

  it("writes nothing in a preview", async () => {
    const cluster = new Cluster();
    assert.match(await refused(enter(cluster, [namespace], { preview: true, otherwise: "wait" })), /must be approved/);
    assert.deepEqual(cluster.objects, []);
  });

  it("prints the command to approve even if it cannot ask for the approval", async () => {
    for (const refusal of [new ApiError("no", 403, "Forbidden"), new UnknownKindError("no such kind", "v1", "X")]) {
      const cluster = new Cluster();
      cluster.refusal = refusal;
      assert.match(await refused(enter(cluster, [namespace])), /kubectl bundle approve web/);
    }
    const cluster = new Cluster();
    cluster.refusal = new ApiError("broken", 500, "InternalError");
    await assert.rejects(enter(cluster, [namespace]), /broken/);
  });

  it("waits for the approval, and reports once that it waits", async () => {
    const cluster = new Cluster();
    cluster.onList = (lists) => lists === 2 && cluster.add(approval("Approved", a, namespaces("x")));
    assert.equal((await enter(cluster, [namespace], { otherwise: "wait" }))?.by, "ada");
    assert.equal(
      reported.filter((text) => /kubectl bundle approve web[^]*Waiting for the approval/.test(text)).length,
      1,
    );
    assert.match(reported.at(-1) ?? "", /approved by ada/);
  }).timeout(10_000);

  it("asks once more if what the content requests has changed in the cluster while it waited", async () => {
    const cluster = new Cluster();
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "web" }, spec: { containers: [{ name: "main" }] } };
    const asked = asksOf([namespace.object, pod], "shop", [namespace.object]);
    cluster.onList = (lists) => {
      if (lists !== 2) return;
      cluster.add(approval("Approved", a, asked));
      cluster.roles.push({
        ...{ apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRoleBinding", metadata: { name: "later" } },
        ...{ roleRef: { kind: "ClusterRole", name: "cluster-admin" } },
        subjects: [{ kind: "ServiceAccount", name: "default", namespace: "shop" }],
      });
    };
    const waiting = { otherwise: "wait", deadline: Date.now() + 3_000 } as const;
    const message = await refused(enter(cluster, [namespace, { object: pod, namespace: "shop" }], waiting));
    assert.match(message, /than what was approved of it:\n.*\n.*everything that ClusterRole cluster-admin allows/);
    assert.equal(inTime(cluster.objects).filter(({ decision }) => decision === "Requested").length, 2);
  }).timeout(10_000);

  it("stops waiting at the deadline or when it is aborted", async () => {
    const message = await refused(enter(new Cluster(), [namespace], { otherwise: "wait", deadline: Date.now() + 50 }));
    assert.match(message, /must be approved/);
    const stop = new AbortController();
    const waiting = enter(new Cluster(), [namespace], { otherwise: "wait", signal: stop.signal });
    setTimeout(() => stop.abort(), 20);
    await assert.rejects(waiting, { name: "AbortError" });
  });

  it("asks again, with the difference, if the content requests more than was approved", async () => {
    const cluster = new Cluster().add(approval("Requested", a, NOTHING), approval("Approved", a, NOTHING));
    const text = await refused(enter(cluster, [namespace]));
    assert.match(text, /requests more than what was approved of it:\n {2}Cluster-scoped objects:\n {4}Namespace x\n/);
    const requests = inTime(cluster.objects).filter(({ decision }) => decision === "Requested");
    assert.deepEqual(
      requests.map(({ asks }) => asks),
      [NOTHING, namespaces("x")],
    );
  });

  it("trusts no approval if the cluster does not protect approvals", async () => {
    const cluster = new Cluster().add(approval("Approved", a, namespaces("x")));
    cluster.guard = undefined;
    await assert.rejects(enter(cluster, [namespace]), /approvals in this cluster are not protected/);
    // Who may not write can't find out.
    cluster.guard = new ApiError("forbidden", 403, "Forbidden");
    assert.equal((await enter(cluster, [namespace]))?.by, "ada");
  });

  it("reports that a cluster is too old for approvals", async () => {
    const cluster = new Cluster();
    const policy = "ValidatingAdmissionPolicy";
    cluster.refusal = new UnknownKindError("no such kind", "admissionregistration.k8s.io/v1", policy);
    assert.match(await refused(enter(cluster, [namespace])), /Kubernetes 1\.30 or newer/);
  });

  it("admits a rollback to earlier content, unless that was denied", async () => {
    assert.equal(await enter(new Cluster(), [namespace], { when: "always", back: true }), undefined);
    const denied = new Cluster().add(approval("Denied", a));
    assert.match(await refused(enter(denied, [namespace], { back: true })), /was denied by ada/);
  });

  it("skips approvals when they are off, but always rejects objects that decide about bundles", async () => {
    const cluster = new Cluster();
    assert.equal(await enter(cluster, [namespace], { when: "never" }), undefined);
    assert.equal(cluster.lists, 0);
    const forged = { object: toObject(approval("Approved", a), new Date()) };
    await assert.rejects(enter(cluster, [forged], { when: "never" }), {
      name: "Refused",
      message: /found BundleApproval shop\.web\.\w+\.a+ in the bundle/,
    });
    const served: KubeObject = {
      apiVersion: "apiregistration.k8s.io/v1",
      kind: "APIService",
      metadata: { name: "v1alpha1.stackyard.dev" },
      spec: { group: "stackyard.dev", version: "v1alpha1", service: { name: "own", namespace: "shop" } },
    };
    await assert.rejects(enter(cluster, [{ object: served }]), /found APIService v1alpha1\.stackyard\.dev/);
    assert.ok([DEFINITION, POLICY].every(decidesAboutBundles));
    assert.ok(!decidesAboutBundles(harmless.object));
  });
});
