import type { Tool } from "../../toolchain/tools/table";

const ACTIONLINT = "1.7.12";

/** Linter for workflows of GitHub Actions. Only tests need it, so `make up` does not install it. */
export const actionlint: Tool = {
  name: "actionlint",
  title: "actionlint",
  version: ACTIONLINT,
  programs: ["actionlint"],
  present: { probes: [{ program: "actionlint", args: ["--version"], answer: `v${ACTIONLINT}` }] },
  archives: ({ os, arch }) => [
    {
      url: `https://github.com/rhysd/actionlint/releases/download/v${ACTIONLINT}/actionlint_${ACTIONLINT}_${os}_${arch}.tar.gz`,
      checksums: `https://github.com/rhysd/actionlint/releases/download/v${ACTIONLINT}/actionlint_${ACTIONLINT}_checksums.txt`,
      programs: { actionlint: "actionlint" },
    },
  ],
  builds: [
    {
      module: "actionlint",
      package: "github.com/rhysd/actionlint/cmd/actionlint",
      output: "actionlint",
      variables: { "github.com/rhysd/actionlint.version": `v${ACTIONLINT}` },
    },
  ],
  buildMinutes: 1,
};
