/** Converts a kubeconfig to the access to one cluster. */

import { readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { chooseContext } from "../../foundation/kubeconfig";
import type { ClusterCredentials } from "./credentials";
import { isList, textAt } from "../objects/objects";
import { isObject, type Json } from "../../foundation/json/isObject";

/** Access to one cluster. Contains secrets; never printed. */
export interface Access {
  readonly server: URL;
  readonly tls: Tls;
  readonly credentials: ClusterCredentials;
  /** Identity to impersonate, if any. */
  readonly as?: ImpersonatedUser;
}

/** An identity to impersonate: a user with groups. */
export interface ImpersonatedUser {
  /** `ada`, or `system:serviceaccount:shop:deployer`. The API server adds the groups of service accounts. */
  readonly user: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  /** Additional attributes that authorizers may use. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

interface Tls {
  readonly ca?: string | Buffer;
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}

/** Reads a file that a kubeconfig references. */
export type ReadFile = (path: string) => Buffer;

/**
 * Reads a kubeconfig and selects `context`, or its current context. Error messages contain no secrets. Files that it
 * references need absolute paths, because the text has no folder of its own.
 */
export function readKubeconfig(text: string, context?: string, readFile: ReadFile = readFileSync): Access {
  const { cluster, user, server } = chooseContext(text, context);
  const file = (object: Json, key: string): Buffer | undefined => {
    const data = textAt(object, `${key}-data`);
    if (data !== undefined) return Buffer.from(data, "base64");
    const path = textAt(object, key);
    return path === undefined ? undefined : read(path, key, readFile);
  };
  return {
    server,
    tls: {
      ca: file(cluster, "certificate-authority"),
      cert: file(user, "client-certificate"),
      key: file(user, "client-key"),
      servername: textAt(cluster, "tls-server-name"),
      rejectUnauthorized: cluster["insecure-skip-tls-verify"] === true ? false : undefined,
    },
    credentials: credentialsOf(user, cluster, server, (path) => read(path, "tokenFile", readFile)),
    as: impersonated(user),
  };
}

function impersonated(user: Json): ImpersonatedUser | undefined {
  const as = textAt(user, "as");
  if (as === undefined) return undefined;
  const extra = user["as-user-extra"];
  return {
    user: as,
    groups: texts(user["as-groups"]),
    uid: textAt(user, "as-uid"),
    extra: Object.fromEntries(Object.entries(isObject(extra) ? extra : {}).map(([key, value]) => [key, texts(value)])),
  };
}

const texts = (value: unknown): string[] => (isList(value) ? value.filter((one) => typeof one === "string") : []);

function read(path: string, key: string, readFile: ReadFile): Buffer {
  if (!isAbsolute(path) && !path.startsWith("~")) {
    throw new Error(`the kubeconfig's ${key} is ${path}; expected an absolute path, or the content itself as data`);
  }
  try {
    return readFile(path.startsWith("~/") ? join(process.env["HOME"] ?? "", path.slice(2)) : path);
  } catch (error) {
    const { code = "unreadable" } = error as NodeJS.ErrnoException;
    throw new Error(`the kubeconfig's ${key} ${path} cannot be read (${code})`, { cause: error });
  }
}

function credentialsOf(user: Json, cluster: Json, server: URL, file: (path: string) => Buffer): ClusterCredentials {
  const token = textAt(user, "token");
  const tokenFile = textAt(user, "tokenFile");
  const username = textAt(user, "username");
  const exec = user["exec"];
  if (tokenFile !== undefined) return { kind: "tokenFile", read: () => file(tokenFile).toString("utf8").trim() };
  if (token !== undefined) return { kind: "token", token };
  if (username !== undefined) return { kind: "basic", username, password: textAt(user, "password") ?? "" };
  if (isObject(exec)) return { kind: "exec", exec, cluster, server };
  if (user["auth-provider"] !== undefined) {
    throw new Error(
      "the kubeconfig's user has an auth-provider, which Kubernetes dropped in 1.26; use a credential plugin (exec)",
    );
  }
  return { kind: "none" };
}
