/**
 * Every tool that the toolchain installs: its version and the ways to get it. Data only; `ensure.ts` defines the order
 * of the ways. The versions of Go modules are also pinned in `toolchain/go/<module>/go.mod`; a test compares them.
 */

/** A release archive; undefined if the publisher has none for a system. */
export interface Archive {
  readonly url: string;
  /** URL of a list of checksums, or of GitHub's description of the release, which contains them. */
  readonly checksums: string;
  /** Paths in the archive by program. If the URL is not an archive, the file itself is the program. */
  readonly programs: Readonly<Record<string, string>>;
}

/** A repository on GitHub. */
export interface GoCheckout {
  readonly repository: string;
  /** A tag, or a commit. */
  readonly tag: string;
}

export interface GoBuild {
  /** Folder in toolchain/go; with `checkout`, only a name. */
  readonly module: string;
  /** Builds in this repository, with the modules that it pins, instead of in toolchain/go. */
  readonly checkout?: GoCheckout;
  /** Package to build; `.` is the module's own main. */
  readonly package: string;
  /** Build tags, separated by commas. Default: none. */
  readonly tags?: string;
  readonly output: string;
  /** Values of string variables in the program, mostly its version. */
  readonly variables: Readonly<Record<string, string>>;
  /** Other names under which the program acts as a different one. */
  readonly alsoKnownAs?: readonly string[];
  /** A shell script next to the program that starts it with the right arguments. */
  readonly launcher?: { readonly name: string; readonly script: string };
  /** Files for the build from another module's folder: path in the module, by name next to main.go. */
  readonly embeds?: { readonly module: string; readonly files: Readonly<Record<string, string>> };
  /** Files of a module that are copied next to the program: path in the module, by name. */
  readonly copies?: { readonly module: string; readonly files: Readonly<Record<string, string>> };
}

/** How to detect a tool that is already on the machine. */
interface Present {
  /** Program, arguments, and what its output must contain. */
  readonly probes?: readonly { readonly program: string; readonly args: readonly string[]; readonly answer: string }[];
  /** Folders relative to Pulumi's home whose name contains the version. */
  readonly pulumiFolders?: readonly string[];
}

export interface Platform {
  /** `linux` or `darwin`. */
  readonly os: string;
  /** In Go's terms: `amd64` or `arm64`. */
  readonly arch: string;
}

export interface Tool {
  readonly name: string;
  /** Name for progress lines. */
  readonly title: string;
  readonly version: string;
  readonly programs: readonly string[];
  /** A Pulumi plugin. Pulumi finds it in its home, and would warn about another one on PATH. */
  readonly plugin?: boolean;
  readonly present: Present;
  readonly archives: (platform: Platform) => readonly Archive[];
  readonly builds: readonly GoBuild[];
  /** Minutes for a build on 2 cores without cache, next to another build. */
  readonly buildMinutes: number;
}

export const KUBERNETES = "1.36.3";
const ETCD = "3.6.8";
const KWOK = "0.8.0";
const PULUMI = "3.274.1";
const PULUMI_KUBERNETES = "4.25.0";

/** What programs of Kubernetes say about their version. */
export const KUBERNETES_VARIABLES = {
  "k8s.io/component-base/version.gitVersion": `v${KUBERNETES}`,
  "k8s.io/component-base/version.gitMajor": "1",
  "k8s.io/component-base/version.gitMinor": "36",
  "k8s.io/client-go/pkg/version.gitVersion": `v${KUBERNETES}`,
};

/**
 * This old host expects `runtime.options.typescript` as a flag, which the engine no longer passes. Without the flag it
 * loads ts-node, which takes 0.15 s of each update.
 */
const LANGUAGE_HOST = `#!/bin/sh
[ "$PULUMI_NODEJS_TYPESCRIPT" = false ] && set -- -typescript=false "$@"
exec "\${0%/*}/pulumi-language-nodejs-host" "$@"
`;

const release = (repository: string, tag: string): string =>
  `https://api.github.com/repos/${repository}/releases/tags/${tag}`;
const asset = (repository: string, tag: string, file: string): string =>
  `https://github.com/${repository}/releases/download/${tag}/${file}`;

export const TOOLS: readonly Tool[] = [
  {
    name: "pulumi-resource-kubernetes",
    title: "Pulumi's Kubernetes provider",
    version: PULUMI_KUBERNETES,
    programs: ["pulumi-resource-kubernetes"],
    plugin: true,
    present: { pulumiFolders: [`plugins/resource-kubernetes-v${PULUMI_KUBERNETES}`] },
    archives: ({ os, arch }) => [
      {
        url: asset(
          "pulumi/pulumi-kubernetes",
          `v${PULUMI_KUBERNETES}`,
          `pulumi-resource-kubernetes-v${PULUMI_KUBERNETES}-${os}-${arch}.tar.gz`,
        ),
        checksums: release("pulumi/pulumi-kubernetes", `v${PULUMI_KUBERNETES}`),
        programs: { "pulumi-resource-kubernetes": "pulumi-resource-kubernetes" },
      },
    ],
    builds: [
      {
        module: "provider-kubernetes",
        package: ".",
        output: "pulumi-resource-kubernetes",
        variables: { "main.version": PULUMI_KUBERNETES },
        embeds: {
          module: "github.com/pulumi/pulumi-kubernetes/provider/v4",
          files: {
            "schema.json": "cmd/pulumi-resource-kubernetes/schema.json",
            "terraform-mapping.json": "cmd/pulumi-resource-kubernetes/terraform-mapping.json",
          },
        },
      },
    ],
    buildMinutes: 9,
  },
  {
    name: "pulumi",
    title: "Pulumi CLI with its Node.js language host",
    version: PULUMI,
    programs: ["pulumi", "pulumi-language-nodejs"],
    present: {
      probes: [{ program: "pulumi", args: ["version"], answer: `v${PULUMI}` }],
      pulumiFolders: [`versions/${PULUMI}/bin`],
    },
    archives: ({ os, arch }) => [
      {
        url: `https://get.pulumi.com/releases/sdk/pulumi-v${PULUMI}-${os}-${arch === "amd64" ? "x64" : arch}.tar.gz`,
        checksums: `https://get.pulumi.com/releases/sdk/pulumi-${PULUMI}-checksums.txt`,
        programs: { pulumi: "pulumi/pulumi", "pulumi-language-nodejs": "pulumi/pulumi-language-nodejs" },
      },
    ],
    builds: [
      {
        module: "pulumi",
        package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
        output: "pulumi",
        variables: { "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version": `v${PULUMI}` },
      },
      // Our own program, not part of a release: with an official CLI, each operation starts the CLI instead.
      {
        module: "pulumi",
        package: ".",
        output: "pulumi-engine",
        variables: { "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version": `v${PULUMI}` },
      },
      {
        module: "language-nodejs",
        package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
        output: "pulumi-language-nodejs-host",
        variables: {},
        launcher: { name: "pulumi-language-nodejs", script: LANGUAGE_HOST },
      },
    ],
    buildMinutes: 5,
  },
  {
    name: "control-plane",
    title: "Kubernetes control plane with etcd and kubectl",
    version: KUBERNETES,
    programs: ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl"],
    present: {
      probes: [
        { program: "etcd", args: ["--version"], answer: `etcd Version: ${ETCD}` },
        { program: "kube-apiserver", args: ["--version"], answer: `Kubernetes v${KUBERNETES}` },
        { program: "kube-controller-manager", args: ["--version"], answer: `Kubernetes v${KUBERNETES}` },
        { program: "kube-scheduler", args: ["--version"], answer: `Kubernetes v${KUBERNETES}` },
        { program: "kubectl", args: ["version", "--client"], answer: `v${KUBERNETES}` },
      ],
    },
    // The Kubernetes project publishes its servers for Linux only.
    archives: ({ os, arch }) =>
      os === "linux"
        ? [
            ...["kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl"].map((program) => ({
              url: `https://dl.k8s.io/release/v${KUBERNETES}/bin/${os}/${arch}/${program}`,
              checksums: `https://dl.k8s.io/release/v${KUBERNETES}/bin/${os}/${arch}/${program}.sha256`,
              programs: { [program]: "" },
            })),
            {
              url: asset("etcd-io/etcd", `v${ETCD}`, `etcd-v${ETCD}-${os}-${arch}.tar.gz`),
              checksums: asset("etcd-io/etcd", `v${ETCD}`, "SHA256SUMS"),
              programs: { etcd: `etcd-v${ETCD}-${os}-${arch}/etcd` },
            },
          ]
        : [],
    builds: [
      {
        module: "control-plane",
        package: ".",
        output: "control-plane",
        alsoKnownAs: ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl"],
        variables: KUBERNETES_VARIABLES,
      },
    ],
    buildMinutes: 5,
  },
  {
    name: "kwok",
    title: "KWOK",
    version: KWOK,
    programs: ["kwok", "kwokctl"],
    present: {
      probes: ["kwok", "kwokctl"].map((program) => ({ program, args: ["--version"], answer: `version v${KWOK}` })),
    },
    archives: ({ os, arch }) =>
      ["kwok", "kwokctl"].map((program) => ({
        url: asset("kubernetes-sigs/kwok", `v${KWOK}`, `${program}-${os}-${arch}`),
        checksums: release("kubernetes-sigs/kwok", `v${KWOK}`),
        programs: { [program]: "" },
      })),
    builds: ["kwok", "kwokctl"].map((program) => ({
      module: "control-plane",
      package: `sigs.k8s.io/kwok/cmd/${program}`,
      output: program,
      variables: { "sigs.k8s.io/kwok/pkg/consts.Version": `v${KWOK}` },
    })),
    buildMinutes: 3,
  },
];
