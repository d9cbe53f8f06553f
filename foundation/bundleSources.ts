/** All kinds of a bundle's source with their fields. A file in bundles/sources/ fetches each. */

export interface SourceField extends Partial<Fields> {
  readonly type: keyof Types | "object";
  /** For the reference. */
  readonly about: string;
  /** For messages. */
  readonly expected?: string;
  readonly needed?: boolean;
  /** Of each text. Default: not empty. */
  readonly pattern?: RegExp;
  /** Whether each text is an address, in which a password or token is a fault. */
  readonly isAddress?: boolean;
  /** A secret or long text may be in a file or variable. The provider sets a field of the instance. */
  readonly given?: "secret" | "long" | "by the instance";
}

interface Types {
  readonly text: string;
  readonly texts: readonly string[];
  readonly "map of texts": Readonly<Record<string, string>>;
  readonly flag: boolean;
}

export interface Fields {
  readonly fields: Readonly<Record<string, SourceField>>;
  readonly choices?: readonly Choice[];
}

/** Fields that exclude each other, of which at least so many must be set. */
interface Choice {
  readonly of: readonly string[];
  readonly least: 0 | 1;
  readonly expected: string;
}

/** What is wrong with what is given for these fields. */
export const choiceFault = (given: Readonly<Record<string, unknown>>, { choices = [] }: Fields): string | undefined =>
  choices.find(({ of, least }) => {
    const count = of.filter((name) => given[name] !== undefined).length;
    return count < least || count > 1;
  })?.expected;

export interface SourceDescription extends Fields {
  readonly about: string;
}

const text = (expected: string, about: string, pattern?: RegExp) =>
  ({ type: "text", expected, about, pattern }) as const;
const address = (expected: string, about: string, pattern?: RegExp) =>
  ({ ...text(expected, about, pattern), isAddress: true }) as const;
const flag = (about: string) => ({ type: "flag", about }) as const;
const secret = (about: string) => ({ type: "text", given: "secret", about }) as const;
const long = (about: string) => ({ type: "text", given: "long", about }) as const;
const object = <const F extends Fields["fields"]>(
  expected: string,
  about: string,
  fields: F,
  choices?: Fields["choices"],
) => ({ type: "object", expected, about, fields, choices }) as const;
const needed = <F extends object>(field: F) => ({ ...field, needed: true }) as const;

export const SHA256 = /^sha256:[0-9a-f]{64}$/;

const directory = text(
  "a folder in the source",
  "Folder in the source that is the bundle's root. Default: the whole source.",
);
const place = {
  directory,
  into: text(
    "a folder in the bundle",
    "Folder in the bundle that gets the files, such as `charts/common` for a chart that another one needs. Default: the bundle's root.",
  ),
};
const trust = {
  certificateData: long("Additional trusted CA certificates, as PEM."),
  insecureSkipTLSVerify: flag("`true`: skip TLS verification (insecure). Default: `false`."),
};
const cluster = {
  kubeconfig: secret("Kubeconfig of another cluster. Default: the instance's."),
  context: text("a context of the kubeconfig", "Context of the kubeconfig."),
  as: { type: "text", given: "by the instance", about: "User to impersonate. Default: the kubeconfig's user." },
} as const;
const registry = {
  mirrors: { ...address("host[:port][/path]", "Registry mirrors, tried first."), type: "texts" },
  plainHttp: flag("`true`: use HTTP instead of HTTPS. Default: `false`."),
  dockerConfig: secret("A Docker `config.json` with credentials. Default: the one of the user who runs Pulumi."),
  pullSecret: object("namespace and name of a Secret", "Image pull secret in a cluster, instead of `dockerConfig`.", {
    namespace: needed(text("a namespace", "Namespace.")),
    name: needed(text("a name", "Name.")),
    ...cluster,
  }),
} as const;
const CREDENTIALS: Choice = {
  of: ["dockerConfig", "pullSecret"],
  least: 0,
  expected: "either dockerConfig or pullSecret",
};

const REF = {
  branch: text("a name", "Branch."),
  tag: text("a name", "Tag."),
  commit: text("all 40 digits of a commit, in quotes", "Full commit hash.", /^([0-9a-f]{40}|[0-9a-f]{64})$/),
};

export const SOURCES = {
  local: {
    about: "A folder or an archive on the machine that runs Pulumi.",
    fields: {
      path: needed(text("the path of a folder or an archive", "Path, relative to the project folder.")),
      ...place,
    },
  },
  http: {
    about: "An archive on a web server.",
    fields: {
      url: needed(address("a URL that begins with https:// or http://", "URL of the archive.", /^https?:\/\//)),
      digest: text("sha256: and 64 of 0-9 and a-f", "Digest of the archive.", SHA256),
      ...place,
      auth: object("username and password, or token", "Credentials.", {
        username: text("a name", "User name for basic authentication."),
        password: secret("Password."),
        token: secret("Bearer token, instead of user name and password."),
      }),
      ...trust,
    },
  },
  git: {
    about: "A commit of a git repository.",
    fields: {
      repository: needed(address("https://…, ssh://…, user@host:path or file:///…", "URL of the repository.")),
      ref: needed(
        object("branch, tag or commit", "Branch, tag or commit.", REF, [
          { of: Object.keys(REF), least: 1, expected: "exactly one of branch, tag and commit" },
        ]),
      ),
      ...place,
      auth: object("username and password, token, or privateKey", "Credentials.", {
        username: text("a name", "Name."),
        password: secret("Password."),
        token: secret("Token, instead of user name and password."),
        privateKey: secret("Private key for SSH."),
        knownHosts: long("Host keys that SSH trusts, in the format of `known_hosts`."),
      }),
      ...trust,
    },
  },
  image: {
    about: "An OCI or Docker image in a registry.",
    fields: {
      ref: needed(address("[registry/]path[:tag][@sha256:…]", "Image reference.")),
      platform: text(
        "os/architecture, such as linux/amd64",
        "Platform to choose from an image index. Default: linux/amd64.",
        /^[a-z0-9]+\/[a-z0-9_]+(\/[a-z0-9]+)?$/,
      ),
      ...registry,
      ...place,
      ...trust,
    },
    choices: [CREDENTIALS],
  },
  catalog: {
    about: "The newest version of a package in a file-based catalog of OLM that the installed one may become.",
    fields: {
      ref: address("[registry/]path[:tag][@sha256:…]", "Image of the catalog. Either this or `path`."),
      path: text(
        "the path of a folder or an archive",
        "Folder or archive of the catalog, relative to the project folder.",
      ),
      directory: text(
        "a folder in the catalog",
        "Folder in the catalog. Default: `configs/<package>` in an image, else all of it.",
      ),
      package: needed(text("a name", "Name of the package.")),
      version: text("a range, such as >=1.2 <2", "Range of versions. Default: the bundle's version."),
      channel: text("a name", "Channel. Default: all of the package."),
      anyUpgrade: flag("`true`: ignore which versions the installed one may become. Default: `false`."),
      ...registry,
      ...trust,
    },
    choices: [{ of: ["ref", "path"], least: 1, expected: "either ref or path" }, CREDENTIALS],
  },
  configMaps: {
    about: "ConfigMaps whose keys are files. The files of several ConfigMaps are combined.",
    fields: {
      namespace: needed(text("a namespace", "Namespace of the ConfigMaps.")),
      labels: { type: "map of texts", about: "Labels that select the ConfigMaps. Either this or `names`." },
      names: { ...text("a name", "Names of the ConfigMaps. Either this or `labels`."), type: "texts" },
      path: text("a folder for the files", "Folder that gets the files. Default: `manifests`."),
      ...cluster,
    },
    choices: [{ of: ["labels", "names"], least: 1, expected: "either labels or names" }],
  },
} as const satisfies Readonly<Record<string, SourceDescription>>;

export type SourceType = keyof typeof SOURCES;
export const SOURCE_TYPES = Object.keys(SOURCES) as [SourceType, ...SourceType[]];

type TypeOf<F> = F extends { readonly fields: infer Inner }
  ? TypesOf<Inner>
  : F extends { readonly type: keyof Types }
    ? Types[F["type"]]
    : never;
type Needed<All> = { [K in keyof All]: All[K] extends { readonly needed: true } ? K : never }[keyof All];
type TypesOf<All> = { readonly [K in Needed<All>]: TypeOf<All[K]> } & {
  readonly [K in Exclude<keyof All, Needed<All>>]?: TypeOf<All[K]>;
};

/** A source of a kind. */
export type SourceOf<T extends SourceType> = { readonly type: T } & TypesOf<(typeof SOURCES)[T]["fields"]>;
/** A source of a bundle's content. */
export type Source = { [T in SourceType]: SourceOf<T> }[SourceType];
