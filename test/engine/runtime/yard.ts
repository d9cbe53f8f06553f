import { startYard } from "../../../toolchain/yard/yard";
import type { Place } from "./world";

/** The yard of these tests. */
export async function testYard(): Promise<Place> {
  return startYard({ directory: process.env["STACKYARD_TEST_YARD"] });
}
