import type { Tool } from "../../toolchain/tools/table";

/** The last version of the SDK's module with both hosts; later ones are in modules of their own. */
const HOSTS = "3.64.0";

const sdk = "github.com/pulumi/pulumi/sdk/v3";

/** Only tests need them, so `make up` does not install them. Their module has no release archives. */
export const languageHosts: Tool = {
  name: "pulumi-language-hosts",
  title: "Pulumi's language hosts for Python and Go",
  version: HOSTS,
  programs: ["pulumi-language-go", "pulumi-language-python"],
  present: {},
  archives: () => [],
  builds: [
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
  ],
  buildMinutes: 2,
};
