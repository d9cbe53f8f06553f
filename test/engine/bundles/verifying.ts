import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { verify } from "../../../cli/bundle/verify";
import type { VerifyOptions } from "../../../cli/bundle/options";
import type { Context } from "../../../cli/context";
import { write } from "../../unit/bundles/samples";
import { testKubeconfig } from "../manifests/yard";

/** Verifies a bundle with these objects against the test cluster: what is printed, and the error when it fails. */
export const verifying =
  (folder: () => string) =>
  async (objects: readonly object[], options: VerifyOptions = {}): Promise<string> => {
    const bundle = join(folder(), randomBytes(4).toString("hex"));
    await write(bundle, { "manifests/all.yaml": objects.map((one) => JSON.stringify(one)).join("\n---\n") });
    await write(folder(), { kubeconfig: await testKubeconfig() });
    const printed: string[] = [];
    const context = { print: (text: string) => printed.push(text) } as unknown as Context;
    try {
      await verify(context, [bundle], { kubeconfig: join(folder(), "kubeconfig"), ...options });
    } catch (error) {
      assert.ok(error instanceof Error);
      printed.push(`error: ${error.message}`);
    }
    return printed.join("\n");
  };
