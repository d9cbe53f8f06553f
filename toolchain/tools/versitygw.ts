import type { Tool } from "./table";

const VERSITYGW = "1.8.0";

/** An S3 server over a folder. `make up` does not need it. */
export const versitygw: Tool = {
  name: "versitygw",
  title: "S3 server versitygw",
  version: VERSITYGW,
  programs: ["versitygw"],
  present: { probes: [{ program: "versitygw", args: ["--version"], answer: VERSITYGW }] },
  archives: ({ os, arch }) => {
    const system = os === "linux" ? "Linux" : "Darwin";
    const folder = `versitygw_v${VERSITYGW}_${system}_${arch === "amd64" ? "x86_64" : arch}`;
    const release = `https://github.com/versity/versitygw/releases/download/v${VERSITYGW}`;
    const programs = { versitygw: `${folder}/versitygw` };
    return [{ url: `${release}/${folder}.tar.gz`, checksums: `${release}/checksums.txt`, programs }];
  },
  builds: [
    {
      module: "versitygw",
      package: "github.com/versity/versitygw/cmd/versitygw",
      output: "versitygw",
      variables: { "main.Version": VERSITYGW },
    },
  ],
  buildMinutes: 2,
};
