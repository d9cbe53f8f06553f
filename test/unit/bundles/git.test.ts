import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import fc from "fast-check";
import { fetchSource, openBundle, resolveSource } from "../../../bundles/bundle";
import { Refused, Unavailable } from "../../../bundles/errors";
import { parseRef, parseRemote } from "../../../bundles/git/remote";
import { environment, runGit } from "../../../bundles/git/run";
import type { GitSource } from "../../../bundles/sources/git";
import { Repository } from "./repository";
import { cacheIn, configMap, temporaryFolder, write } from "./samples";
import { redirect, serve } from "./server";

describe("a bundle in a git repository", function () {
  this.timeout(30_000);
  const folder = temporaryFolder();
  let repository: Repository;
  let first: string;
  let second: string;
  let caches = 0;
  const access = () => ({ base: "/", keep: ["manifests"], cache: cacheIn(join(folder(), `cache-${caches}`)) });
  const at = (ref: GitSource["ref"], more: Partial<GitSource> = {}): GitSource => ({
    type: "git",
    repository: `file://${repository.folder}`,
    ref,
    ...more,
  });
  const namesOf = async (source: GitSource): Promise<string[]> => [
    ...(await openBundle([source], access())).tree.files.keys(),
  ];

  const { TMPDIR } = process.env;
  before(async () => {
    // Of these tests alone, to see what is left in it.
    process.env["TMPDIR"] = join(folder(), "tmp");
    await mkdir(join(folder(), "tmp"));
    repository = await Repository.make(join(folder(), "repositories/shop"), {
      "manifests/a.yaml": configMap("a"),
      "manifests/b.yaml": "-> a.yaml",
      "deploy/one/manifests/c.yaml": configMap("c"),
      ".gitattributes": "manifests/a.yaml export-ignore\n*.yaml export-subst text eol=crlf\n",
      README: "$Format:%H$",
    });
    first = repository.git("rev-parse", "HEAD");
    repository.git("tag", "v1");
    repository.git("tag", "--annotate", "--message=two", "v1-annotated");
    second = await repository.commit({ "manifests/d.yaml": configMap("d") });
    repository.git("branch", "release/1.x", first);
  });
  after(() => {
    if (TMPDIR === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = TMPDIR;
  });
  beforeEach(() => caches++);

  it("is resolved from any ref to a commit", async () => {
    const digest = async (ref: GitSource["ref"]): Promise<string> => (await resolveSource(at(ref), access())).digest;
    assert.equal(await digest({ branch: "main" }), `commit:${second}`);
    assert.equal(await digest({ branch: "release/1.x" }), `commit:${first}`);
    assert.equal(await digest({ tag: "v1" }), `commit:${first}`);
    assert.equal(await digest({ tag: "v1-annotated" }), `commit:${first}`);
    assert.equal(await digest({ commit: first }), `commit:${first}`);
  });

  it("has the committed bytes, with links followed, from any folder", async () => {
    const { tree } = await openBundle([at({ tag: "v1" })], access());
    assert.deepEqual([...tree.files.keys()], ["manifests/a.yaml", "manifests/b.yaml"]);
    assert.equal(tree.files.get("manifests/a.yaml")?.toString(), configMap("a"));
    assert.equal(tree.files.get("manifests/b.yaml")?.toString(), configMap("a"));
    assert.deepEqual(await namesOf(at({ branch: "main" })), [
      "manifests/a.yaml",
      "manifests/b.yaml",
      "manifests/d.yaml",
    ]);
    for (const directory of ["deploy/one", "./deploy//one/"]) {
      assert.deepEqual(await namesOf(at({ commit: second }, { directory })), ["manifests/c.yaml"]);
    }
    assert.deepEqual(await namesOf(at({ commit: second }, { directory: "." })), await namesOf(at({ commit: second })));
  });

  it("needs no repository for a cached commit", async () => {
    const source = at({ commit: first });
    const one = await openBundle([source], access());
    const two = await openBundle([{ ...source, repository: "file:///nowhere" }], access());
    assert.equal(one.digest, two.digest);
  });

  it("leaves nothing behind", () => {
    assert.deepEqual(
      readdirSync(tmpdir()).filter((name) => name.startsWith("stackyard-git-")),
      [],
    );
  });

  it("is reported in git's words if it does not exist", async () => {
    await assert.rejects(
      resolveSource(at({ branch: "nowhere" }), access()),
      /^Unavailable: file:.*shop#nowhere: the repository has no branch nowhere/,
    );
    await assert.rejects(resolveSource(at({ tag: "main" }), access()), /has no tag main/);
    await assert.rejects(resolveSource({ ...at({ tag: "v1" }), repository: "file:///nowhere" }, access()), (error) => {
      assert.ok(error instanceof Unavailable && !error.passing);
      return /file:\/\/\/nowhere#v1: git can't fetch it: .*nowhere/.test(error.message);
    });
    await assert.rejects(fetchSource(at({ tag: "v1" }), `commit:${"1".repeat(40)}`, access()), Unavailable);
    const blob = repository.git("rev-parse", "HEAD:README");
    await assert.rejects(fetchSource(at({ commit: blob }), `commit:${blob}`, access()), /is a blob; expected a commit/);
  });

  it("is rejected if it has a submodule or a link out of the repository", async () => {
    const hostile = await Repository.make(join(folder(), "hostile"), { "manifests/a.yaml": "-> /etc/passwd" });
    await assert.rejects(
      namesOf({ ...at({ branch: "main" }), repository: `file://${hostile.folder}` }),
      /is a link to "\/etc\/passwd", out of/,
    );
    const parent = await Repository.make(join(folder(), "parent"), { "manifests/a.yaml": "" });
    parent.git("update-index", "--add", "--cacheinfo", `160000,${first},manifests/sub`);
    parent.git("commit", "--quiet", "--message=sub");
    await assert.rejects(
      namesOf({ ...at({ branch: "main" }), repository: `file://${parent.folder}` }),
      /"manifests\/sub" is a submodule/,
    );
  });

  it("is fetched without hooks and config of the machine, the user or the repository", async () => {
    const trap = join(folder(), "trap");
    const hook = `#!/bin/sh\ntouch ${trap}\n`;
    await write(join(folder(), "home"), {
      ".gitconfig": `[core]\n hooksPath = ${folder()}/home/hooks\n fsmonitor = ${folder()}/home/hooks/x\n[uploadpack]\n packObjectsHook = ${folder()}/home/hooks/x\n[credential]\n helper = "!touch ${trap}"\n[url "file:///nowhere/"]\n insteadOf = file:///\n`,
      "hooks/x": hook,
      "hooks/reference-transaction": hook,
    });
    for (const name of ["x", "reference-transaction"]) chmodSync(join(folder(), "home/hooks", name), 0o755);
    const before = { ...process.env };
    Object.assign(process.env, {
      HOME: join(folder(), "home"),
      GIT_DIR: "/nowhere",
      GIT_CONFIG_PARAMETERS: "'core.bare=x'",
      GIT_SSH: join(folder(), "home/hooks/x"),
    });
    try {
      assert.equal((await namesOf(at({ branch: "main" }))).length, 3);
    } finally {
      for (const key of ["HOME", "GIT_DIR", "GIT_CONFIG_PARAMETERS", "GIT_SSH"]) {
        if (before[key] === undefined) delete process.env[key];
        else process.env[key] = before[key];
      }
    }
    assert.equal(existsSync(trap), false);
  });

  it("is fetched over HTTP with credentials that no other server receives", async () => {
    const backend = Repository.backend(join(folder(), "repositories"));
    const right = `Basic ${Buffer.from("me:secret").toString("base64")}`;
    const pages: Record<string, Parameters<typeof serve>[0][string]> = {};
    for (const path of ["/shop/.git/info/refs", "/shop/.git/git-upload-pack"]) {
      pages[path] = (request, response) => {
        if (request.headers.authorization === right) return backend(request, response);
        response.writeHead(401, { "www-authenticate": "Basic" }).end();
      };
    }
    const site = await serve(pages);
    const other = await serve({
      "/moved/info/refs": redirect(`${site.url}/shop/.git/info/refs?service=git-upload-pack`),
    });
    try {
      const source = at(
        { commit: first },
        { repository: `${site.url}/shop/.git`, auth: { username: "me", password: "secret" } },
      );
      assert.deepEqual(await namesOf(source), ["manifests/a.yaml", "manifests/b.yaml"]);
      assert.equal((await resolveSource({ ...source, ref: { branch: "main" } }, access())).digest, `commit:${second}`);
      for (const auth of [undefined, { token: "wrong-secret" }]) {
        await assert.rejects(resolveSource({ ...source, ref: { branch: "main" }, auth }, access()), (error) => {
          assert.ok(
            error instanceof Unavailable && !error.passing && !error.message.includes("wrong-secret"),
            String(error),
          );
          return /check its credentials/.test(error.message);
        });
      }
      const moved = { ...source, ref: { branch: "main" }, repository: `${other.url}/moved` };
      const count = site.asked.length;
      await assert.rejects(resolveSource(moved, access()), /it redirects, and git does not follow redirects here/);
      assert.equal(site.asked.length, count);
    } finally {
      site.close();
      other.close();
    }
  });

  it("is fetched from servers that serve only branch heads", async () => {
    const dumb = Repository.backend(join(folder(), "repositories"), {
      "uploadpack.allowAnySHA1InWant": "false",
      "protocol.version": "0",
    });
    const old: typeof dumb = (request, response) => {
      delete request.headers["git-protocol"];
      dumb(request, response);
    };
    const site = await serve({ "/shop/.git/info/refs": old, "/shop/.git/git-upload-pack": old });
    try {
      repository.git("branch", "--delete", "--force", "release/1.x");
      repository.git("tag", "--delete", "v1", "v1-annotated");
      assert.equal((await namesOf(at({ commit: first }, { repository: `${site.url}/shop/.git` }))).length, 2);
      assert.equal(site.asked.filter(({ path }) => path.endsWith("/info/refs")).length, 2);
    } finally {
      site.close();
    }
  });

  it("is rejected if git fetches or prints too much", async () => {
    const site = await serve({ "/slow.git/info/refs": (_, response) => void response.writeHead(200).write("x") });
    const watch = (): void => {
      throw new Refused("too large");
    };
    try {
      const running = { cwd: folder(), env: environment("http", {}, {}), most: 1000 };
      await assert.rejects(
        runGit({ ...running, args: ["ls-remote", `${site.url}/slow.git`], watch }),
        /^Refused: too large/,
      );
      const files = { ...running, env: environment("file", {}, {}), most: 10 };
      await assert.rejects(
        runGit({ ...files, args: ["ls-remote", repository.folder] }),
        /^Refused: git printed more than/,
      );
    } finally {
      site.close();
    }
  });

  it("is not fetched further after an abort", async () => {
    const site = await serve({ "/slow.git/info/refs": (_, response) => void response.writeHead(200).write("x") });
    try {
      const signal = AbortSignal.timeout(300);
      await assert.rejects(
        resolveSource(at({ branch: "main" }, { repository: `${site.url}/slow.git` }), { ...access(), signal }),
      );
      assert.deepEqual(
        readdirSync(tmpdir()).filter((name) => name.startsWith("stackyard-git-")),
        [],
      );
    } finally {
      site.close();
    }
  });

  it("is fetched over SSH with its own key and known hosts, not the user's", async () => {
    const bin = join(folder(), "bin");
    const log = join(folder(), "ssh.log");
    await mkdir(bin);
    // Stands for the program ssh: notes what it was asked, and runs the command here.
    await write(bin, {
      ssh: `#!/bin/sh\nprintf '%s\\n' "$@" > ${log}\nfor each; do case "$each" in IdentityFile=*) cat "\${each#*=}" >> ${log}; ls -l "\${each#*=}" | cut -c1-10 >> ${log};; UserKnownHostsFile=*) cat "\${each#*=}" >> ${log};; esac; last="$each"; done\necho "agent=$SSH_AUTH_SOCK" >> ${log}\nexec sh -c "$last"\n`,
    });
    chmodSync(join(bin, "ssh"), 0o755);
    const { PATH, SSH_AUTH_SOCK } = process.env;
    Object.assign(process.env, { PATH: bin + delimiter + PATH, SSH_AUTH_SOCK: "/an/agent" });
    try {
      const auth = { privateKey: "THE KEY", knownHosts: "host ssh-ed25519 AAAA" };
      const source = at({ branch: "main" }, { repository: `git@host.example:${repository.folder}`, auth });
      assert.equal((await namesOf(source)).length, 3);
      const asked = readFileSync(log, "utf8");
      for (const word of [
        "BatchMode=yes",
        "StrictHostKeyChecking=yes",
        "IdentitiesOnly=yes",
        "IdentityAgent=none",
        "THE KEY",
        "-rw-------",
        "host ssh-ed25519 AAAA",
        "git@host.example",
      ]) {
        assert.ok(asked.includes(`${word}\n`), `${word} in ${asked}`);
      }
      assert.match(asked, /^-F\nnone\n/);
      assert.match(asked, /^agent=$/m);
      caches++;
      assert.equal(
        (await namesOf({ ...source, repository: `ssh://git@host.example:2222${repository.folder}`, auth: undefined }))
          .length,
        3,
      );
      assert.match(readFileSync(log, "utf8"), /^-p\n2222\n/m);
      assert.match(readFileSync(log, "utf8"), /^agent=\/an\/agent$/m);
    } finally {
      process.env["PATH"] = PATH;
      if (SSH_AUTH_SOCK === undefined) delete process.env["SSH_AUTH_SOCK"];
      else process.env["SSH_AUTH_SOCK"] = SSH_AUTH_SOCK;
    }
  });

  it("cannot be fetched without git, which the error names", async () => {
    const { PATH } = process.env;
    const empty = join(folder(), "empty-bin");
    await mkdir(empty);
    symlinkSync(process.execPath, join(empty, "node"));
    process.env["PATH"] = empty;
    try {
      await assert.rejects(
        resolveSource(at({ branch: "main" }), access()),
        /the program git is not on PATH; expected git 2\.31 or newer/,
      );
    } finally {
      process.env["PATH"] = PATH;
    }
  });
});

describe("the address of a repository", () => {
  it("is rejected if git would run another program for it", () => {
    for (const text of [
      "https://example.com/a.git",
      "ssh://git@example.com:22/a.git",
      "git@example.com:a/b.git",
      "example.com:a",
      "file:///a/b",
    ]) {
      assert.ok(parseRemote(text).url.startsWith(text.slice(0, 8)));
    }
    for (const text of [
      "ext::sh -c touch% /x",
      "--upload-pack=touch /x",
      "-x",
      "fd::1",
      "ftp://example.com/a",
      "git://example.com/a",
      "/a/b",
      "../a",
      "file://host/a",
      "https://me:secret@example.com/a",
      "ssh://git:secret@example.com/a",
      "ssh://-oProxyCommand=x/a",
      "ssh://git@-oProxyCommand=x/a",
      "-oProxyCommand=x:a",
      "git@-oProxyCommand=x:a",
      "example.com:-x",
      "file::http://x",
      "",
    ]) {
      assert.throws(
        () => parseRemote(text),
        (error) => error instanceof Refused && !error.message.includes("secret"),
        text,
      );
    }
  });

  it("never starts with a git option", () => {
    const piece = fc.constantFrom(
      "-",
      "--",
      "git",
      "@",
      ":",
      "/",
      "//",
      "ssh",
      "https",
      "file",
      "ext",
      "a",
      ".",
      " ",
      "=",
      "\n",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        let remote;
        try {
          remote = parseRemote(pieces.join(""));
        } catch (error) {
          return assert.ok(error instanceof Refused, String(error));
        }
        assert.doesNotMatch(remote.url, /^-|^[a-z0-9+.-]*::|^[^:/]*@-|\s/i);
      }),
      {
        numRuns: 2000,
        examples: [
          [["a", ":", "ext", ":", ":"]],
          [["file", ":", "//", "/", ":", ":"]],
          [["file", ":", "//", "/", "\n"]],
        ],
      },
    );
  });

  it("has exactly one valid ref", () => {
    assert.deepEqual(parseRef({ branch: "a/b" }), { names: ["refs/heads/a/b"] });
    for (const ref of [
      {},
      { branch: "a", tag: "b" },
      { commit: "abc" },
      { branch: "-x" },
      { tag: "a..b" },
      { tag: "a b" },
      { branch: "a:b" },
      { branch: "" },
      { branch: "a*" },
      { branch: "@" },
    ]) {
      assert.throws(() => parseRef(ref), Refused, JSON.stringify(ref));
    }
  });
});
