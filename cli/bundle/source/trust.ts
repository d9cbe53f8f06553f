import { readFile } from "node:fs/promises";
import type { Trust } from "../../../foundation/net/http";
import type { SourceOptions } from "../options";
import { Failure, messageOf } from "../../../foundation/errors";

/** Additional certificate authorities that the commands trust. */
export async function trustOf({ caFile, insecureSkipTlsVerify }: SourceOptions): Promise<Trust> {
  if (caFile === undefined) return insecureSkipTlsVerify === true ? { insecureSkipTLSVerify: true } : {};
  const certificateData = await readFile(caFile, "utf8").catch((cause: unknown) => {
    throw new Failure(`--ca-file: ${caFile} can't be read: ${messageOf(cause)}`);
  });
  if (!certificateData.includes("-----BEGIN CERTIFICATE-----")) {
    throw new Failure(`--ca-file: ${caFile} has no certificate; expected PEM`);
  }
  return { certificateData, ...(insecureSkipTlsVerify === true ? { insecureSkipTLSVerify: true } : {}) };
}
