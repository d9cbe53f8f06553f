/** The manifests of a Kyma release. */

import { createHash } from "node:crypto";
import { loadAll } from "js-yaml";
import { isObject } from "../../../foundation/json/isObject";
import { Guard } from "../../../foundation/net/address";
import { exchange, expectStatus, withRetries, shownUrl } from "../../../foundation/net/http";
import { readAll } from "../../../foundation/net/streams";
import { MIB } from "../../../foundation/net/bytes";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { INSTALLATION } from "./objects";

export interface Release {
  /** The installer's objects, without the Installation. */
  readonly installer: readonly KubeObject[];
  readonly installation: KubeObject;
  readonly tiller: readonly KubeObject[];
  /** SHA-256 of the installer's manifests. */
  readonly digest: string;
}

const MOST = 32 * MIB;

interface Wanted {
  readonly installerUrl: string;
  readonly tillerUrl?: string;
  readonly digest?: string;
}

/** Throws if the manifests are missing, don't match the digest, or contain no Installation. */
export async function fetchRelease({ installerUrl, tillerUrl, digest }: Wanted, signal: AbortSignal): Promise<Release> {
  const [content, tiller] = await Promise.all([
    download(installerUrl, signal),
    tillerUrl === undefined ? undefined : download(tillerUrl, signal, "optional"),
  ]);
  const place = shownUrl(new URL(installerUrl));
  if (content === undefined) throw new Error(`there are no manifests of Kyma at ${place}; check the version`);
  const found = createHash("sha256").update(content).digest("hex");
  if (digest !== undefined && found !== digest) {
    throw new Error(`the manifests at ${place} have the digest ${found}; expected ${digest}. Nothing was changed`);
  }
  const all = objectsIn(content, place);
  const installation = all.find(isInstallation);
  if (!installation) throw new Error(`the manifests at ${place} have no ${INSTALLATION.kind} ${INSTALLATION.name}`);
  return {
    installer: all.filter((one) => !isInstallation(one)),
    installation,
    tiller: tiller === undefined ? [] : objectsIn(tiller, shownUrl(new URL(tillerUrl ?? ""))),
    digest: found,
  };
}

const isInstallation = ({ apiVersion, kind }: KubeObject): boolean =>
  kind === INSTALLATION.kind && apiVersion.startsWith("installer.kyma-project.io/");

/** Undefined if there is no such file. */
async function download(address: string, signal: AbortSignal, need?: "optional"): Promise<Buffer | undefined> {
  const url = new URL(address);
  return withRetries(async () => {
    const answer = await exchange({ url, guard: new Guard(url), signal });
    // A bucket responds with 403 to callers that may not list it.
    if (answer.status === 404 || (need === "optional" && answer.status === 403)) {
      answer.body.destroy();
      return undefined;
    }
    return readAll(expectStatus(url, answer).body, MOST, shownUrl(url));
  }, signal);
}

function objectsIn(content: Buffer, place: string): KubeObject[] {
  const documents = loadAll(content.toString("utf8")).filter((one) => one != null);
  documents.forEach((one, index) => {
    const isWhole = isObject(one) && typeof one["kind"] === "string" && isObject(one["metadata"]);
    if (!isWhole) throw new Error(`document ${index + 1} at ${place} is no Kubernetes object`);
  });
  return documents as KubeObject[];
}
