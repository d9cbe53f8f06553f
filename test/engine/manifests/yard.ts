import { readFileSync } from "node:fs";
import { startYard } from "../../../toolchain/yard/yard";

/** Kubeconfig (text) of the cluster that these tests use. */
export async function testKubeconfig(): Promise<string> {
  const given = process.env["STACKYARD_TEST_KUBECONFIG"];
  const file =
    given ?? (await startYard({ directory: process.env["STACKYARD_TEST_YARD"], progress: false })).kubeconfig;
  return readFileSync(file, "utf8");
}
