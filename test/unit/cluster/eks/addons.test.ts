import assert from "node:assert/strict";
import type { Call, Recorder } from "../../runtime/mocks";
import { withWarnings } from "../../runtime/warnings";
import { faultsOf, graphOf } from "./clusters";

const EFS = "aws-efs-csi-driver";
const S3 = "aws-mountpoint-s3-csi-driver";
const FSX = "aws-fsx-csi-driver";
const AGENT = "amazon-cloudwatch-observability";
const ALL = {
  [EFS]: { fileSystemId: "fs-0123456789abcdef0" },
  [FSX]: {},
  [S3]: { buckets: [{ bucket: "acme-events", prefixes: ["raw/"], access: "readWrite" }] },
  [AGENT]: { values: { containerLogs: { enabled: false } } },
};

const of = ({ resources }: Recorder, type: string, name: RegExp) =>
  resources.filter((one) => one.type.endsWith(type) && name.test(one.name)).map(({ inputs }) => inputs);
const roleOf = (all: Recorder, name: string) => of(all, "iam/role:Role", new RegExp(`^cluster-eks-${name}-role$`))[0];
const addonOf = (all: Recorder, name: string) => of(all, ":Addon", new RegExp(`^cluster-eks-${name}$`))[0];

/** What AWS answers, with what differs from a region in which all of this exists. */
const answers =
  (differs: (call: Call) => Record<string, unknown> | undefined = () => undefined) =>
  (call: Call): Record<string, unknown> | undefined => {
    const { token, inputs } = call;
    const own = differs(call);
    if (own !== undefined) return own;
    if (token.includes("getAddonVersion"))
      return { version: inputs["mostRecent"] ? "v9.0.0-eksbuild.1" : "v3.4.0-eksbuild.1" };
    if (token.includes("getFileSystem")) return { availabilityZoneName: "" };
    return token.includes("s3/getBucket") ? { bucketRegion: "eu-central-1" } : undefined;
  };
const fails =
  (part: string, message: string) =>
  ({ token }: Call): undefined => {
    if (token.includes(part)) throw Object.assign(new Error(message), { details: message });
  };

describe("the add-ons that a platform needs", function () {
  this.timeout(30_000);

  it("get roles for exactly their service accounts, with IRSA", async () => {
    const all = await graphOf({ addons: ALL }, "ci", answers());
    for (const [name, namespace, accounts] of [
      [
        "efs-csi",
        "kube-system",
        '["system:serviceaccount:kube-system:efs-csi-controller-sa","system:serviceaccount:kube-system:efs-csi-node-sa"]',
      ],
      ["fsx-csi", "kube-system", '"system:serviceaccount:kube-system:fsx-csi-controller-sa"'],
      ["s3-csi", "kube-system", '"system:serviceaccount:kube-system:s3-csi-driver-sa"'],
      ["cloudwatch", "amazon-cloudwatch", '"system:serviceaccount:amazon-cloudwatch:cloudwatch-agent"'],
    ] as const) {
      const role = roleOf(all, name);
      assert.equal(role?.["name"], `acme-${name}`);
      assert.ok(String(role["assumeRolePolicy"]).includes(`:sub":${accounts}`), namespace);
    }
    assert.match(String(addonOf(all, EFS)?.["serviceAccountRoleArn"]), /cluster-eks-efs-csi-role/);
    assert.equal(addonOf(all, AGENT)?.["configurationValues"], '{"containerLogs":{"enabled":false}}');
    assert.deepEqual(of(all, ":PodIdentityAssociation", /./), []);
    const attached = of(all, ":RolePolicyAttachment", /efs|cloudwatch/).map(({ policyArn }) => policyArn);
    assert.deepEqual(attached.toSorted(), [
      "arn:aws:iam::aws:policy/AWSXrayWriteOnlyAccess",
      "arn:aws:iam::aws:policy/CloudWatchAgentServerPolicy",
      "arn:aws:iam::aws:policy/service-role/AmazonEFSCSIDriverPolicy",
    ]);
  });

  it("get associations with Pod Identity, in EKS Auto Mode too", async () => {
    const pools = { nodePools: { general: { instanceTypes: ["m7i.xlarge"], max: 5 } } };
    for (const nodes of [{}, { nodes: "auto", ...pools }]) {
      const all = await graphOf({ ...nodes, addons: ALL, identity: "podIdentity" }, "ci", answers());
      const accounts = of(all, ":PodIdentityAssociation", /efs|fsx|s3|cloudwatch/).map(
        ({ namespace, serviceAccount }) => `${String(namespace)}/${String(serviceAccount)}`,
      );
      assert.deepEqual(accounts.toSorted(), [
        "amazon-cloudwatch/cloudwatch-agent",
        "kube-system/efs-csi-controller-sa",
        "kube-system/efs-csi-node-sa",
        "kube-system/fsx-csi-controller-sa",
        "kube-system/s3-csi-driver-sa",
      ]);
      assert.equal(addonOf(all, EFS)?.["serviceAccountRoleArn"], undefined);
    }
  });

  it("may touch nothing but their own data", async () => {
    const all = await graphOf({ addons: ALL }, "ci", answers());
    const policies = Object.fromEntries(
      ["s3-csi", "fsx-csi"].map((name) => [
        name,
        String(of(all, ":RolePolicy", new RegExp(`-${name}-data$`))[0]?.["policy"]),
      ]),
    );
    assert.match(policies["s3-csi"] ?? "", /"Resource":"arn:aws:s3:::acme-events\/raw\/\*"/);
    assert.match(policies["s3-csi"] ?? "", /s3:PutObject/);
    const { Statement } = JSON.parse(policies["fsx-csi"] ?? "") as {
      Statement: { Action: string | string[]; Condition?: object }[];
    };
    assert.deepEqual(Statement[2], {
      ...Statement[2],
      Action: ["fsx:DeleteFileSystem", "fsx:UpdateFileSystem"],
      Condition: { StringLike: { "aws:ResourceTag/CSIVolumeName": "*" } },
    });
  });

  it("get storage classes", async () => {
    const all = await graphOf({ addons: ALL }, "ci", answers(), {
      vpcConfig: { clusterSecurityGroupId: "sg-0000000a", vpcId: "vpc-0a" },
    });
    const { objects } = of(all, ":ManifestSet", /-storage$/)[0] as {
      objects: { metadata: { name: string }; parameters: object }[];
    };
    assert.deepEqual(
      objects.map(({ metadata: { name }, parameters }) => [name, parameters]),
      [
        ["gp3", { type: "gp3", encrypted: "true" }],
        ["efs", { provisioningMode: "efs-ap", fileSystemId: "fs-0123456789abcdef0", directoryPerms: "700" }],
        [
          "fsx-lustre",
          { subnetId: "cluster-eks-vpc-private-0-id", securityGroupIds: "sg-0000000a", deploymentType: "SCRATCH_2" },
        ],
      ],
    );
  });

  it("send metrics to a workspace, as its collector alone may, after the add-on for certificates", async () => {
    const workspaceId = "ws-01234567-89ab-cdef-0123-456789abcdef";
    const values = { collector: { prometheusMetrics: { resources: { limits: { memory: "1Gi" } } } } };
    const addons = { adot: { workspaceId, values }, "cert-manager": {} };
    const all = await graphOf({ addons }, "ci", answers());
    assert.deepEqual(JSON.parse(String(addonOf(all, "adot")?.["configurationValues"])), {
      collector: {
        prometheusMetrics: {
          pipelines: { metrics: { amp: { enabled: true } } },
          exporters: {
            prometheusremotewrite: {
              endpoint: `https://aps-workspaces.eu-central-1.amazonaws.com/workspaces/${workspaceId}/api/v1/remote_write`,
            },
          },
          resources: { limits: { memory: "1Gi" } },
        },
      },
    });
    const [{ namespace, serviceAccount } = {}] = of(all, ":PodIdentityAssociation", /prometheus/);
    assert.deepEqual([namespace, serviceAccount], ["opentelemetry-operator-system", "adot-col-prom-metrics"]);
    const [{ policy } = {}] = of(all, ":RolePolicy", /-prometheus-data$/);
    const { Statement } = JSON.parse(String(policy)) as { Statement: { Action: string; Resource: string }[] };
    assert.deepEqual(
      Statement.map((one) => [one.Action, one.Resource]),
      [["aps:RemoteWrite", `arn:aws:aps:eu-central-1:*:workspace/${workspaceId}`]],
    );
    const order = all.resources.filter(({ type }) => type.endsWith(":Addon")).map(({ name }) => name);
    assert.ok(order.indexOf("cluster-eks-cert-manager") < order.indexOf("cluster-eks-adot"));
    assert.deepEqual(of(await graphOf({ addons: { adot: {} } }, "ci", answers()), "iam/role:Role", /prometheus/), []);
    await assert.rejects(
      graphOf({ addons }, "ci", answers(fails("amp/getWorkspace", "ResourceNotFoundException: Workspace not found"))),
      /addons\.adot\.workspaceId: found "ws-01234567-[^"]*"; expected a workspace that exists/,
    );
  });

  it("are warned of if nothing issues their certificates", async () => {
    const { warned } = await withWarnings(() => graphOf({ addons: { adot: {} } }, "ci", answers()));
    assert.match(
      warned.join("\n"),
      /addons\.adot: found no add-on cert-manager, whose certificates it needs; add cert-manager: \{\}/,
    );
  });

  it("use roles that exist, and have none without buckets", async () => {
    const roleArn = "arn:aws:iam::123456789012:role/own";
    const all = await graphOf({ addons: { [FSX]: { roleArn }, [S3]: {} } }, "ci", answers());
    assert.equal(addonOf(all, FSX)?.["serviceAccountRoleArn"], roleArn);
    assert.deepEqual(of(all, "iam/role:Role", /fsx|s3/), []);
    assert.deepEqual((of(all, ":ManifestSet", /-storage$/)[0] as { objects: object[] }).objects.length, 1);
  });

  it("are refused with data of another one", () => {
    const buckets = [{ bucket: "acme-events" }];
    const roleArn = "arn:aws:iam::123456789012:role/own";
    assert.deepEqual(faultsOf({ addons: { [FSX]: { fileSystemId: "fs-01234567" } } }), [
      `cluster.addons.${FSX}.fileSystemId: found "fs-01234567"; expected nothing, because only ${EFS} has one`,
    ]);
    assert.deepEqual(faultsOf({ addons: { [EFS]: { workspaceId: "ws-01234567-89ab-cdef-0123-456789abcdef" } } }), [
      `cluster.addons.${EFS}.workspaceId: found "ws-01234567-89ab-cdef-0123-456789abcdef"; expected nothing, because only adot has one`,
    ]);
    assert.deepEqual(faultsOf({ addons: { [EFS]: { buckets } } }), [
      `cluster.addons.${EFS}.buckets: found 1 buckets; expected nothing, because only ${S3} has some`,
    ]);
    assert.match(
      faultsOf({ addons: { [S3]: { buckets, roleArn } } }).join(),
      /roleArn names a role with its own policy/,
    );
    const many = Array.from({ length: 80 }, (_, index) => ({ bucket: `bucket-${index}` }));
    assert.match(faultsOf({ addons: { [S3]: { buckets: many } } }).join(), /buckets: found a policy of \d+ characters/);
  });

  it("are looked at by the preview: name, version, file system and bucket", async () => {
    const refused = (addons: object, answer: ReturnType<typeof answers>, pattern: RegExp, more: object = {}) =>
      assert.rejects(graphOf({ ...more, addons }, "ci", answer), pattern);
    const gone = "reading: couldn't find resource";
    await refused(
      { "aws-efs": {} },
      answers(fails("getAddonVersion", gone)),
      /addons\.aws-efs: found an add-on that EKS does not have for 1\.35; .*describe-addon-versions/,
    );
    await refused(
      { [FSX]: { version: "v10.0.0-eksbuild.1" } },
      answers(),
      /fsx-csi-driver\.version: found "v10\.0\.0-eksbuild\.1"; expected v9\.0\.0-eksbuild\.1 or older/,
    );
    await refused(
      { [S3]: { version: "v1.9.0-eksbuild.1", buckets: [{ bucket: "acme-events" }] } },
      answers(),
      /s3-csi-driver\.version: found "v1\.9\.0-eksbuild\.1"; expected v2\.0\.0 or later, which supports Pod Identity/,
      { identity: "podIdentity" },
    );
    await refused(
      ALL,
      answers(fails("getFileSystem", gone)),
      /fileSystemId: found "fs-0123456789abcdef0"; expected a file system that exists/,
    );
    await refused(
      ALL,
      answers(fails("s3/getBucket", "empty result")),
      /buckets\[0\]: found "acme-events"; expected a bucket that exists/,
    );
  });

  it("are warned of what is elsewhere or unknown", async () => {
    const elsewhere = answers(({ token }) =>
      token.includes("getFileSystem")
        ? { availabilityZoneName: "eu-central-1a" }
        : token.includes("s3/getBucket")
          ? { bucketRegion: "us-east-1" }
          : undefined,
    );
    const { warned } = await withWarnings(() => graphOf({ addons: ALL }, "ci", elsewhere));
    assert.match(warned.join("\n"), /fs-0123456789abcdef0 is in eu-central-1a alone/);
    assert.match(warned.join("\n"), /acme-events is in us-east-1; reading it from eu-central-1 is slower/);
    const denied = answers(fails("getFileSystem", "AccessDeniedException: no"));
    const unknown = await withWarnings(() => graphOf({ addons: ALL }, "ci", denied));
    assert.match(unknown.warned.join("\n"), /whether fs-\w+ exists is not known/);
  });
});
