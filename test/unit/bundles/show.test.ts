import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { dump } from "js-yaml";
import { showRelease } from "../../../cli/bundle/show";
import { createContext } from "../../../cli/context";
import { workspacesIn } from "../../../foundation/pulumi/backend";
import { report } from "../../../cli/report";
import { colours } from "../../../cli/terminal/colours";
import { Live } from "../../../cli/terminal/live";
import { temporaryFolder } from "./samples";

/** What `bundle show` prints as its error when the API server answers so. */
async function shown(folder: string, answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const file = join(folder, "kubeconfig");
  const cluster = { server: `http://127.0.0.1:${port}` };
  const contexts = [{ name: "c", context: { cluster: "c", user: "u" } }];
  const users = [{ name: "u", user: { token: "t0ken" } }];
  writeFileSync(file, dump({ "current-context": "c", clusters: [{ name: "c", cluster }], contexts, users }));
  let text = "";
  try {
    await showRelease(createContext(workspacesIn(folder, undefined)), "hello", {
      kubeconfig: file,
      namespace: "hello",
    });
  } catch (error) {
    const stream = { write: (more: string) => (text += more) } as unknown as NodeJS.WriteStream;
    report(error, { colours: colours(false), live: new Live(stream, false) });
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return text;
}

const status =
  (code: number, reason: string, message: string): RequestListener =>
  (_request, response) => {
    response.writeHead(code, { "content-type": "application/json" });
    response.end(JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message }));
  };

describe("stackyard bundle show", () => {
  const folder = temporaryFolder();

  it("reports a missing permission in one line", async () => {
    const why = 'configmaps is forbidden: User "ann" cannot list resource "configmaps" in the namespace "hello"';
    const text = await shown(folder(), status(403, "Forbidden", why));
    assert.match(text, /^error: .*User "ann" cannot list resource.*\n$/);
  });

  it("reports rejected credentials in one line", async () => {
    const text = await shown(folder(), status(401, "Unauthorized", "Unauthorized"));
    assert.match(text, /^error: .*(Unauthorized|credentials).*\n$/);
    assert.doesNotMatch(text, /t0ken/);
  });

  it("reports a closed connection in one line", async () => {
    const text = await shown(folder(), (request) => request.socket.destroy());
    assert.match(text, /^error: .*127\.0\.0\.1.*\n$/);
  });
});
