import { TOOLS, type GoBuild, type Tool } from "../../toolchain/tools/table";

/** The last version of the SDK's module with both hosts; later ones are in modules of their own. */
const HOSTS = "3.64.0";
const { version: PULUMI } = TOOLS.find(({ name }) => name === "pulumi")!;

const sdk = "github.com/pulumi/pulumi/sdk/v3";

/** A tool that only tests need, so `make up` does not install it. Its module has no release archives. */
const built = (name: string, title: string, version: string, builds: readonly GoBuild[]): Tool => ({
  ...{ name, title, version, builds },
  programs: builds.map(({ output }) => output),
  present: {},
  archives: () => [],
  buildMinutes: 2,
});

export const languageHosts = built("pulumi-language-hosts", "Pulumi's language hosts for Python and Go", HOSTS, [
  {
    module: "language-hosts",
    package: `${sdk}/go/pulumi-language-go`,
    output: "pulumi-language-go",
    variables: {},
  },
  {
    module: "language-hosts",
    package: `${sdk}/python/cmd/pulumi-language-python`,
    output: "pulumi-language-python",
    variables: {},
    copies: {
      module: sdk,
      files: { "pulumi-language-python-exec": "python/cmd/pulumi-language-python-exec" },
    },
  },
]);

/** Pulumi's generators of SDKs. */
export const sdkGenerator = built("sdk-generator", "Pulumi's generators of SDKs", PULUMI, [
  { module: "sdk-generator", package: ".", output: "sdk-generator", variables: {} },
]);
