import * as z from "zod";
import { holdsSecret } from "../foundation/net/givenAddress";
import { checkedText, flag, matching, strict } from "../foundation/schema/fields";

/** Schema of a bundle's source, in stack config and in a file of sources. */

const text = (expected: string) => matching(/\S/, expected);

/** An address without a secret: states store it in plain text, and messages print it. */
const address = (expected: string, pattern = /\S/) =>
  checkedText(
    `${expected}, without a password or token`,
    (given) => {
      if (holdsSecret(given)) return "credentials belong into auth or dockerConfig, as secrets";
      return pattern.test(given) ? undefined : "";
    },
    pattern,
  );

export const SHA256 = /^sha256:[0-9a-f]{64}$/;

/** `given`: schema of a value that is secret or long. */
export function sourceSchema<Given extends z.ZodType>(given: Given) {
  const directory = text("a folder in the source")
    .optional()
    .describe("Folder in the source that is the bundle's root. Default: the whole source.");
  const trust = {
    certificateData: given.optional().describe("Additional trusted CA certificates, as PEM."),
    insecureSkipTLSVerify: flag().optional().describe("`true`: skip TLS verification (insecure). Default: `false`."),
  };
  const cluster = {
    kubeconfig: given.optional().describe("Kubeconfig of another cluster. Default: the instance's."),
    context: text("a context of the kubeconfig").optional().describe("Context of the kubeconfig."),
  };
  const local = strict("a source of type local", {
    type: z.literal("local").describe("A folder or an archive on the machine that runs Pulumi."),
    path: text("the path of a folder or an archive").describe("Path, relative to the project folder."),
    directory,
  });
  const http = strict("a source of type http", {
    type: z.literal("http").describe("An archive on a web server."),
    url: address("a URL that begins with https:// or http://", /^https?:\/\//).describe("URL of the archive."),
    digest: matching(SHA256, "sha256: and 64 of 0-9 and a-f").optional().describe("Digest of the archive."),
    directory,
    auth: strict("username and password, or token", {
      username: text("a name").optional().describe("User name for basic authentication."),
      password: given.optional().describe("Password."),
      token: given.optional().describe("Bearer token, instead of user name and password."),
    })
      .optional()
      .describe("Credentials."),
    ...trust,
  });
  const ref = strict("branch, tag or commit", {
    branch: text("a name").optional().describe("Branch."),
    tag: text("a name").optional().describe("Tag."),
    commit: matching(/^([0-9a-f]{40}|[0-9a-f]{64})$/, "all 40 digits of a commit, in quotes")
      .optional()
      .describe("Full commit hash."),
  }).refine((one) => Object.keys(one).length === 1, { error: "exactly one of branch, tag and commit" });
  const git = strict("a source of type git", {
    type: z.literal("git").describe("A commit of a git repository."),
    repository: address("https://…, ssh://…, user@host:path or file:///…").describe("URL of the repository."),
    ref: ref.describe("Branch, tag or commit."),
    directory,
    auth: strict("username and password, token, or privateKey", {
      username: text("a name").optional().describe("Name."),
      password: given.optional().describe("Password."),
      token: given.optional().describe("Token, instead of user name and password."),
      privateKey: given.optional().describe("Private key for SSH."),
      knownHosts: given.optional().describe("Host keys that SSH trusts, in the format of `known_hosts`."),
    })
      .optional()
      .describe("Credentials."),
    ...trust,
  });
  const image = strict("a source of type image", {
    type: z.literal("image").describe("An OCI or Docker image in a registry."),
    ref: address("[registry/]path[:tag][@sha256:…]").describe("Image reference."),
    platform: matching(/^[a-z0-9]+\/[a-z0-9_]+(\/[a-z0-9]+)?$/, "os/architecture, such as linux/amd64")
      .optional()
      .describe("Platform to choose from an image index. Default: linux/amd64."),
    mirrors: z
      .array(address("host[:port][/path]"), { error: "a list of registries" })
      .optional()
      .describe("Registry mirrors, tried first."),
    plainHttp: flag().optional().describe("`true`: use HTTP instead of HTTPS. Default: `false`."),
    dockerConfig: given
      .optional()
      .describe("A Docker `config.json` with credentials. Default: the one of the user who runs Pulumi."),
    pullSecret: strict("namespace and name of a Secret", {
      namespace: text("a namespace").describe("Namespace."),
      name: text("a name").describe("Name."),
      ...cluster,
    })
      .optional()
      .describe("Image pull secret in a cluster, instead of `dockerConfig`."),
    directory,
    ...trust,
  }).refine(({ dockerConfig, pullSecret }) => dockerConfig === undefined || pullSecret === undefined, {
    error: "either dockerConfig or pullSecret",
  });
  const configMaps = strict("a source of type configMaps", {
    type: z
      .literal("configMaps")
      .describe("ConfigMaps whose keys are files. The files of several ConfigMaps are combined."),
    namespace: text("a namespace").describe("Namespace of the ConfigMaps."),
    labels: z
      .record(z.string(), z.string({ error: "a text" }), { error: "a map of labels" })
      .optional()
      .describe("Labels that select the ConfigMaps. Either this or `names`."),
    names: z
      .array(text("a name"), { error: "a list of names" })
      .optional()
      .describe("Names of the ConfigMaps. Either this or `labels`."),
    path: text("a folder for the files").optional().describe("Folder that gets the files. Default: `manifests`."),
    ...cluster,
  }).refine(({ labels, names }) => (labels === undefined) !== (names === undefined), {
    error: "either labels or names",
  });
  return z.discriminatedUnion("type", [local, http, git, image, configMaps], {
    error: "an object whose type is local, http, git, image or configMaps",
  });
}

export const SOURCE_TYPES = ["local", "http", "git", "image", "configMaps"] as const;
