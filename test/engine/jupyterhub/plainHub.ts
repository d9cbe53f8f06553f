import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { JupyterHubSettings } from "../../../components/jupyterhub/settings";
import { portToBind } from "../../../toolchain/yard/ports";
import { HUB_CONFIG, writeConfig } from "./hubConfig";
import { Browser } from "./spawning";

/** What a test changes of the configuration: traits by class. */
export type Changes = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A real Hub without a proxy, configured the way its pod would be. */
export class PlainHub {
  private readonly folder = mkdtempSync(path.join(tmpdir(), "stackyard-hub-"));
  private said = "";
  private hub: ChildProcess | undefined;
  url = "";

  async start(python: string, settings: JupyterHubSettings, changes: Changes = {}): Promise<this> {
    writeConfig(this.folder, settings, { "changes.json": JSON.stringify(changes) });
    const port = await portToBind();
    const args = ["-m", "jupyterhub", "--config", path.join(__dirname, "python", "hub_config.py")];
    const env = { ...process.env, HUB_CONFIG, HUB_FOLDER: this.folder, HUB_PORT: String(port) };
    const hub = spawn(python, args, { cwd: this.folder, env, stdio: ["ignore", "pipe", "pipe"] });
    this.hub = hub;
    for (const stream of [hub.stdout, hub.stderr]) {
      stream.on("data", (chunk: Buffer) => (this.said += chunk.toString()));
    }
    this.url = `http://127.0.0.1:${port}/hub`;
    while (!(await fetch(`${this.url}/health`).catch(() => undefined))?.ok) {
      if (hub.exitCode !== null) throw new Error(`the Hub ended:\n${this.said}`);
      await sleep(100);
    }
    assert.doesNotMatch(this.said, /not recognized|Config option/, "JupyterHub did not know a trait");
    return this;
  }

  /** What the Hub logged. */
  get log(): string {
    return this.said;
  }

  /** Sends a browser to the issuer and back, and returns it with what the Hub answered. */
  async login(browser = new Browser()): Promise<{ readonly browser: Browser; readonly back: string }> {
    const { location } = await browser.open(`${this.url}/oauth_login?next=`);
    const answer = await fetch(location, { redirect: "manual" });
    const to = answer.headers.get("location");
    if (to === null) return { browser, back: `${answer.status} from the issuer: ${await answer.text()}` };
    const { pathname, search } = new URL(to);
    const { text } = await browser.open(this.url.replace(/\/hub$/, "") + pathname + search);
    return { browser, back: text };
  }

  /** Whether the Hub still knows the browser's user; otherwise it asks for a login. */
  async knows(browser: Browser): Promise<boolean> {
    const { location, text } = await browser.open(`${this.url}/home`);
    if (/^200/.test(text)) return true;
    assert.match(location, /\/hub\/login\?/, `${text}\n${this.said}`);
    return false;
  }

  async stop(): Promise<void> {
    if (this.hub?.exitCode === null) {
      const ended = new Promise((resolve) => this.hub!.once("exit", resolve));
      this.hub.kill("SIGTERM");
      await ended;
    }
    rmSync(this.folder, { recursive: true });
  }
}
