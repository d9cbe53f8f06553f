import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** The playground, a GraphQL editor, as it is sent to a browser. */
export interface Playground {
  readonly html: Buffer;
  readonly compressed: Buffer;
  readonly tag: string;
  readonly policy: string;
}

const START = "YogaGraphiQL.renderYogaGraphiQL(\n";

const LOGIN = `
      <form id="login" hidden>
        <h1>Stackyard playground</h1>
        <label>Token <input name="token" type="password" autocomplete="current-password" required /></label>
        <label>Tenant, for a token with several <input name="tenant" autocomplete="off" /></label>
        <p id="fault" role="alert"></p>
        <button>Open</button>
      </form>
`;

const digest = (text: string, encoding: "base64" | "hex"): string => createHash("sha256").update(text).digest(encoding);

/** Scripts are permitted by their hashes. The editor creates its workers from blobs, and its styles at run time. */
function policyFor(html: string): string {
  const scripts = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(([, text = ""]) => digest(text, "base64"));
  return [
    "default-src 'none'",
    `script-src ${scripts.map((hash) => `'sha256-${hash}'`).join(" ")}`,
    "style-src 'unsafe-inline'",
    "font-src data:",
    "img-src data:",
    "connect-src 'self'",
    "worker-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/**
 * Returns the playground, built for the first request. `folder` is that of the status page, `endpoint` the path of the
 * API, relative to that of the playground.
 */
export function playgroundOf(folder: string, endpoint: string): () => Promise<Playground> {
  let built: Promise<Playground> | undefined;
  return () => (built ??= build(folder, endpoint));
}

async function build(folder: string, endpoint: string): Promise<Playground> {
  const { renderGraphiQL } = await import("@graphql-yoga/render-graphiql");
  const [css, js] = ["playground.css", "playground.js"].map((file) => readFileSync(join(folder, file), "utf8"));
  const original = renderGraphiQL({ title: "Stackyard", endpoint });
  if (!original.includes(START)) throw new Error("the playground of this version of GraphiQL starts in another way");
  // Functions, because the texts contain $.
  const html = original
    .replace("</head>", () => `<meta name="viewport" content="width=device-width"><style>${css}</style></head>`)
    .replace('<div id="root">', (root) => `${LOGIN}<script>${js}</script>${root}`)
    .replace(START, () => "startPlayground(YogaGraphiQL.renderYogaGraphiQL,\n")
    .trimStart();
  return {
    html: Buffer.from(html),
    compressed: await promisify(gzip)(html),
    tag: `"${digest(html, "hex").slice(0, 16)}"`,
    policy: policyFor(html),
  };
}
