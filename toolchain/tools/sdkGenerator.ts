import { TOOLS, type Tool } from "./table";

const { version: PULUMI } = TOOLS.find(({ name }) => name === "pulumi")!;

/** Pulumi's generators of SDKs. `npm run package` and a release build them; Pulumi has them only in its language hosts. */
export const sdkGenerator: Tool = {
  name: "sdk-generator",
  title: "Pulumi's generators of SDKs",
  version: PULUMI,
  programs: ["sdk-generator"],
  present: {},
  archives: () => [],
  builds: [{ module: "sdk-generator", package: ".", output: "sdk-generator", variables: {} }],
  buildMinutes: 2,
};
