import { z } from "zod";
import { flag, matching, strict } from "../../components/config/fields";

const text = (expected: string) => matching(/\S/, expected);

/** What is secret, or long, stands elsewhere. */
const elsewhere = z.union([strict("a variable", { env: text("a name") }), strict("a file", { path: text("a path") })], {
  error: "{ env: VARIABLE } or { path: FILE }",
});
const SHA256 = /^sha256:[0-9a-f]{64}$/;

const directory = text("a folder in the source").optional();
const trust = { certificateData: elsewhere.optional(), insecureSkipTLSVerify: flag().optional() };

const local = strict("a source of type local", {
  type: z.literal("local"),
  path: text("the path of a folder or an archive"),
  directory,
});

const http = strict("a source of type http", {
  type: z.literal("http"),
  url: matching(/^https?:\/\//, "a URL that begins with https:// or http://"),
  digest: matching(SHA256, "sha256: and 64 of 0-9 and a-f").optional(),
  directory,
  auth: strict("username and password, or token", {
    username: text("a name").optional(),
    password: elsewhere.optional(),
    token: elsewhere.optional(),
  }).optional(),
  ...trust,
});

const ref = strict("branch, tag or commit", {
  branch: text("a name").optional(),
  tag: text("a name").optional(),
  commit: matching(/^([0-9a-f]{40}|[0-9a-f]{64})$/, "all 40 digits of a commit, in quotes").optional(),
}).refine((given) => Object.keys(given).length === 1, { error: "exactly one of branch, tag and commit" });

const git = strict("a source of type git", {
  type: z.literal("git"),
  repository: text("https://…, ssh://…, user@host:path or file:///…"),
  ref,
  directory,
  auth: strict("username and password, token, or privateKey", {
    username: text("a name").optional(),
    password: elsewhere.optional(),
    token: elsewhere.optional(),
    privateKey: elsewhere.optional(),
    knownHosts: elsewhere.optional(),
  }).optional(),
  ...trust,
});

const image = strict("a source of type image", {
  type: z.literal("image"),
  ref: text("[registry/]path[:tag][@sha256:…]"),
  platform: matching(/^[a-z0-9]+\/[a-z0-9_]+(\/[a-z0-9]+)?$/, "os/architecture, such as linux/amd64").optional(),
  mirrors: z.array(text("host[:port][/path]"), { error: "a list of registries" }).optional(),
  plainHttp: flag().optional(),
  dockerConfig: elsewhere.optional(),
  directory,
  ...trust,
});

const configMaps = strict("a source of type configMaps", {
  type: z.literal("configMaps"),
  namespace: text("a namespace"),
  labels: z.record(z.string(), z.string({ error: "a text" }), { error: "a map of labels" }).optional(),
  names: z.array(text("a name"), { error: "a list of names" }).optional(),
  path: text("a folder for the files").optional(),
  kubeconfig: elsewhere.optional(),
  context: text("a context of the kubeconfig").optional(),
}).refine(({ labels, names }) => (labels === undefined) !== (names === undefined), { error: "either labels or names" });

/** A file that names sources. */
export const sourcesSchema = strict("an object with sources", {
  sources: z
    .array(
      z.discriminatedUnion("type", [local, http, git, image, configMaps], {
        error: "an object whose type is local, http, git, image or configMaps",
      }),
      {
        error: "a list of sources",
      },
    )
    .min(1, { error: "at least one source" }),
});
