import assert from "node:assert/strict";
import fc from "fast-check";
import { LIMITS, limited } from "../../../components/cluster/awsNames";
import { isWild, renderDocument, type Statement } from "../../../components/cluster/serviceAccountRole/document";
import { accountSetName, accountsOf, roleName, subjectsOf } from "../../../components/cluster/serviceAccountRole/plan";
import { s3Statements } from "../../../components/cluster/serviceAccountRole/s3";
import { irsaTrust, podIdentityTrust } from "../../../components/cluster/serviceAccountRole/trust";

const HOST = "oidc.eks.eu-central-1.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF";
const PROVIDER = `arn:aws:iam::123456789012:oidc-provider/${HOST}`;

interface Rendered {
  readonly Action: string | string[];
  readonly Resource?: unknown;
  readonly Condition?: unknown;
}
const statementsOf = (statements: readonly Statement[]): Rendered[] =>
  (JSON.parse(renderDocument(statements, 10_000)) as { Statement: Rendered[] }).Statement;
const trustOf = (subjects: Record<string, string[]>, issuer = HOST) =>
  statementsOf(irsaTrust(PROVIDER, issuer, subjectsOf(subjects)));

describe("the set of a role's service accounts", () => {
  it("has a legal name, which is that of the role where it can be", () => {
    assert.equal(accountSetName("acme-reader"), "role-acme-reader");
    assert.match(accountSetName("own-eksCluster-reader"), /^role-own-ekscluster-reader-[0-9a-f]{8}$/);
    assert.notEqual(accountSetName("own-EksCluster-reader"), accountSetName("own-eksCluster-reader"));
    assert.equal(accountSetName("x".repeat(64)).length, 63);
  });
});

describe("the trust policy of a role for service accounts", () => {
  it("requires the audience and exactly one subject", () => {
    assert.deepEqual(trustOf({ ray: ["daft"] }), [
      {
        Effect: "Allow",
        Principal: { Federated: PROVIDER },
        Action: "sts:AssumeRoleWithWebIdentity",
        Condition: {
          StringEquals: { [`${HOST}:aud`]: "sts.amazonaws.com", [`${HOST}:sub`]: "system:serviceaccount:ray:daft" },
        },
      },
    ]);
  });

  it("lists several subjects under one key", () => {
    assert.deepEqual(trustOf({ ray: ["daft"], jupyterhub: ["daft"] })[0]?.Condition, {
      StringEquals: {
        [`${HOST}:aud`]: "sts.amazonaws.com",
        [`${HOST}:sub`]: ["system:serviceaccount:jupyterhub:daft", "system:serviceaccount:ray:daft"],
      },
    });
  });

  it("uses StringLike for subjects with a wildcard, but keeps the audience exact", () => {
    assert.deepEqual(trustOf({ ray: ["*-daft"], jupyterhub: ["daft"] })[0]?.Condition, {
      StringEquals: { [`${HOST}:aud`]: "sts.amazonaws.com" },
      StringLike: { [`${HOST}:sub`]: ["system:serviceaccount:jupyterhub:daft", "system:serviceaccount:ray:*-daft"] },
    });
  });

  it("is the same for an issuer with and without https://", () => {
    assert.deepEqual(trustOf({ ray: ["daft"] }, `https://${HOST}`), trustOf({ ray: ["daft"] }));
  });

  it("requires an OIDC provider in IAM for IRSA", () => {
    assert.throws(
      () => irsaTrust("", "https://oidc.example.com/id/0", subjectsOf({ ray: ["daft"] })),
      /no OIDC provider in IAM.*createOidcProvider/,
    );
  });

  it("is rejected without a subject, because it would admit every pod", () => {
    assert.throws(() => irsaTrust(PROVIDER, HOST, []), /at least one service account/);
    assert.throws(() => podIdentityTrust("arn:aws:eks:x", []), /at least one service account/);
  });

  it("requires cluster, namespace and service account of a Pod Identity session", () => {
    const cluster = "arn:aws-cn:eks:cn-north-1:123456789012:cluster/acme";
    const found = statementsOf(podIdentityTrust(cluster, subjectsOf({ ray: ["a", "b"], jupyterhub: ["daft"] })));
    assert.equal(found.length, 2);
    assert.deepEqual(found[1], {
      Effect: "Allow",
      Principal: { Service: "pods.eks.amazonaws.com" },
      Action: ["sts:AssumeRole", "sts:TagSession"],
      Condition: {
        StringEquals: {
          "aws:RequestTag/eks-cluster-arn": cluster,
          "aws:RequestTag/kubernetes-namespace": "ray",
          "aws:RequestTag/kubernetes-service-account": ["a", "b"],
        },
      },
    });
    assert.throws(() => podIdentityTrust(cluster, subjectsOf({ ray: ["*-daft"] })), /knows no wildcards/);
  });
});

describe("the permissions on data in S3", () => {
  const given = (...args: Parameters<typeof s3Statements>) => statementsOf(s3Statements(...args));

  it("separate the bucket from its objects, and allow the location without a condition", () => {
    assert.deepEqual(given([{ bucket: "b", prefixes: ["p/"], access: "read" }], "aws"), [
      { Effect: "Allow", Action: "s3:GetBucketLocation", Resource: "arn:aws:s3:::b" },
      {
        Effect: "Allow",
        Action: "s3:ListBucket",
        Resource: "arn:aws:s3:::b",
        Condition: { StringLike: { "s3:prefix": ["p", "p/*"] } },
      },
      { Effect: "Allow", Action: ["s3:GetObject", "s3:GetObjectVersion"], Resource: "arn:aws:s3:::b/p/*" },
    ]);
  });

  it("do not let a reader write or delete, or a lister read objects", () => {
    const actions = (access: "list" | "read") =>
      given([{ bucket: "b", access }], "aws").flatMap(({ Action }) => Action);
    assert.ok(!actions("read").some((action) => /Put|Delete|Abort/.test(action)));
    assert.ok(!actions("list").some((action) => /Object/.test(action)));
  });

  it("are the same for the name and the ARN of a bucket, and stay in their partition", () => {
    for (const partition of ["aws", "aws-cn", "aws-us-gov"]) {
      const byName = given([{ bucket: "b", access: "readWrite" }], partition);
      assert.deepEqual(given([{ bucket: `arn:${partition}:s3:::b`, access: "readWrite" }], partition), byName);
      assert.ok(JSON.stringify(byName).includes(`"arn:${partition}:s3:::b/*"`));
    }
  });

  it("allow the use of the key in the same way as the data", () => {
    const kmsKey = "arn:aws:kms:eu-central-1:123456789012:key/1";
    const onKey = (access: "list" | "read" | "readWrite") =>
      given([{ bucket: "b", access, kmsKey }], "aws").flatMap(({ Resource, Action }) =>
        Resource === kmsKey ? Action : [],
      );
    assert.deepEqual(onKey("list"), []);
    assert.deepEqual(onKey("read"), ["kms:Decrypt"]);
    assert.deepEqual(onKey("readWrite"), ["kms:Decrypt", "kms:GenerateDataKey"]);
  });

  it("never allow all actions or all resources", () => {
    const bucket = fc.stringMatching(/^[a-z0-9][a-z0-9-]{1,20}[a-z0-9]$/);
    const prefixes = fc.array(fc.stringMatching(/^[a-z/*]{1,10}$/), { maxLength: 3 });
    const access = fc.constantFrom("list" as const, "read" as const, "readWrite" as const);
    fc.assert(
      fc.property(fc.array(fc.record({ bucket, prefixes, access }), { minLength: 1 }), (buckets) => {
        assert.ok(!s3Statements(buckets, "aws").some(isWild));
      }),
    );
  });
});

describe("an IAM document", () => {
  it("is rejected if it is too long or has a wildcard without a reason", () => {
    const wild: Statement = { effect: "Allow", actions: ["s3:*"], resources: ["arn:aws:s3:::b"] };
    assert.throws(() => renderDocument([wild], 1000), /wildcard without a written reason: s3:\*/);
    const patterns = ["*", "S3:*", "s3:**", "*:*", "iam:P*", "sts:Assume*"].map((action) => ({
      ...wild,
      actions: [action],
    }));
    const resources = ["*", "**", "arn:aws:s3:::*"].map((arn) => ({
      ...wild,
      actions: ["s3:GetObject"],
      resources: [arn],
    }));
    for (const statement of [...patterns, ...resources]) {
      assert.throws(
        () => renderDocument([statement], 1000),
        /wildcard without a written reason/,
        JSON.stringify(statement),
      );
    }
    assert.match(renderDocument([{ ...wild, wildcardReason: "the bucket is theirs" }], 1000), /"s3:\*"/);
    assert.throws(() => renderDocument([{ ...wild, wildcardReason: "x" }], 50), /characters, AWS takes 50/);
  });
});

describe("a name on AWS", () => {
  it("is kept if it fits, otherwise shortened with a unique hash", () => {
    assert.equal(roleName("acme", "daft"), "acme-daft");
    const long = (end: string) => roleName("a".repeat(70), end);
    assert.equal(long("x").length, LIMITS.role);
    assert.notEqual(long("x"), long("y"));
    const name = fc.string({ maxLength: 150 });
    fc.assert(
      fc.property(name, name, fc.integer({ min: 20, max: 128 }), (a, b, most) => {
        assert.ok(limited(a, most).length <= most);
        if (a !== b) assert.notEqual(limited(a, most), limited(b, most));
      }),
    );
  });

  it("is exact for a service account that the platform creates", () => {
    const accounts = accountsOf(subjectsOf({ ray: ["*-daft", "own"], jupyterhub: ["daft"] }));
    assert.deepEqual(
      accounts.map(({ key }) => key),
      ["jupyterhub/daft", "ray/own"],
    );
  });
});
