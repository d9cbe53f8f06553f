import { readFileSync } from "node:fs";
import { BundleRelease } from "../../components/resources/bundleRelease";

/** The Pulumi program of the benchmark: one release of the bundle in its folder. */
export = (): void => {
  new BundleRelease("bench", {
    kubeconfig: readFileSync(process.env["BENCH_KUBECONFIG"] ?? "", "utf8"),
    cluster: "https://bench",
    name: "bench",
    namespace: process.env["BENCH_NAMESPACE"] ?? "bench-release-0",
    sources: [{ type: "local", path: "." }],
  });
};
