import assert from "node:assert/strict";
import { load } from "js-yaml";
import { readKubeconfig } from "../../../components/cluster/access/kubeconfig";
import {
  accessOf,
  decode,
  FILES,
  filesOf,
  GOOD,
  goodWith,
  KUBECONFIG,
  kubernetesWith,
  linesOf,
  kubernetesIn,
} from "./fixtures";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const content = (text: string) => goodWith({ cluster: { type: "existing", kubeconfig: { content: text } } });
const other = (context: string) => goodWith({ cluster: { ...GOOD.cluster, context } });

describe("the kubeconfig", () => {
  it("keeps only the chosen context, and embeds the files that it names", () => {
    const access = accessOf(decode(GOOD));
    assert.deepEqual(load(access?.kubeconfig ?? ""), {
      apiVersion: "v1",
      kind: "Config",
      "current-context": "main",
      contexts: [{ name: "main", context: { cluster: "one", user: "admin" } }],
      clusters: [
        { name: "one", cluster: { server: "https://10.0.0.1:6443", "certificate-authority-data": base64("CA") } },
      ],
      users: [{ name: "admin", user: { "client-certificate-data": base64("CERT"), "client-key-data": base64("KEY") } }],
    });
    assert.equal(access?.context, "main");
    assert.equal(access?.server, "https://10.0.0.1:6443");
  });

  it("uses another context if that is configured", () => {
    const access = accessOf(decode(other("other")));
    assert.equal(access?.server, "https://10.0.0.2:6443");
    assert.doesNotMatch(access?.kubeconfig ?? "", /10\.0\.0\.1|Q0VSVA/);
  });

  it("gives a provisioner another context of the platform's kubeconfig", () => {
    const { access } = kubernetesIn(decode(kubernetesWith({ context: "other" })), "dedicated");
    assert.equal(access?.server, "https://10.0.0.2:6443");
  });

  it("embeds a token file as a token, and resolves a relative command", () => {
    const text = KUBECONFIG.replace("token: guest-token", "tokenFile: t, exec: { command: ./bin/login }");
    const access = readKubeconfig({ text, path: "yard/kubeconfig", context: "other" }, filesOf({ "yard/t": "abc\n" }));
    assert.ok("kubeconfig" in access);
    const { users } = load(access.kubeconfig ?? "") as { users: unknown };
    assert.deepEqual(users, [{ name: "guest", user: { exec: { command: "yard/bin/login" }, token: "abc" } }]);
  });

  it("lists the existing contexts if the chosen one does not exist", () => {
    assert.deepEqual(linesOf(other("mian")), [
      'cluster.context: found "mian"; expected one of main, other; did you mean main',
    ]);
    assert.deepEqual(linesOf(content(KUBECONFIG.replace("current-context: main", ""))), [
      "cluster.context: found nothing, and no current context in the kubeconfig; expected one of main, other",
    ]);
  });

  it("is in-cluster, without a context, if the program runs in the cluster", () => {
    const inside = { type: "existing", kubeconfig: { inCluster: true } };
    assert.deepEqual(accessOf(decode(goodWith({ cluster: inside }))), { server: "in-cluster" });
    assert.deepEqual(linesOf(goodWith({ cluster: { ...inside, context: "main" } })), [
      'cluster.context: found "main"; expected no context, because inCluster has none',
    ]);
  });

  it("is rejected if it is missing, no YAML, no kubeconfig, or incomplete", () => {
    const path = (file: string) => goodWith({ cluster: { type: "existing", kubeconfig: { path: file } } });
    assert.deepEqual(linesOf(path("gone")), [
      'cluster.kubeconfig.path: found "gone", no such file; expected a kubeconfig file',
    ]);
    assert.deepEqual(
      linesOf(
        path("yard/kubeconfig"),
        {},
        filesOf({ "yard/kubeconfig": KUBECONFIG, ".yard/ledger-url": "postgres://h/d" }),
      ),
      [
        'cluster.kubeconfig.path: found a kubeconfig whose certificate-authority "pki/ca.crt" is no such file; expected a file that can be read',
      ],
    );
    const cases: [string, RegExp][] = [
      ["a: [s3cret", /^cluster\.kubeconfig\.content: found text that is not YAML \(line \d\); expected a kubeconfig$/],
      ["a: s3cret", /content: found YAML that is no kubeconfig; expected an object with clusters/],
      ["- s3cret", /content: found YAML that is no kubeconfig/],
      [KUBECONFIG.replace("server:", "sever:"), /found a cluster one without server URL/],
      [KUBECONFIG.replace("cluster: one,", ""), /found a context main without cluster/],
      [
        KUBECONFIG.replace("server:", "proxy-url: http://p, server:"),
        /found a cluster one with a proxy-url, which is not supported/,
      ],
      [KUBECONFIG.replace("name: admin,", "name: root,"), /found a context main whose user is not in the kubeconfig/],
    ];
    for (const [text, expected] of cases) {
      const lines = linesOf(content(text));
      assert.match(lines.join("\n"), expected);
      assert.doesNotMatch(lines.join("\n"), /s3cret/);
    }
  });

  it("is exactly one of path, content and inCluster", () => {
    for (const kubeconfig of [{}, { path: "yard/kubeconfig", inCluster: true }, "yard/kubeconfig", null]) {
      assert.match(
        linesOf(goodWith({ cluster: { type: "existing", kubeconfig } })).join(),
        /expected exactly one of path, content and inCluster$/,
      );
    }
    const both = { cluster: "platform", kubeconfig: { path: "yard/kubeconfig" } };
    assert.deepEqual(linesOf(kubernetesWith(both)), [
      'provisioners.dedicated.spec.cluster: found "platform"; expected either cluster or kubeconfig, not both',
    ]);
  });
});

describe("the secrets of a kubeconfig", () => {
  const secret = "hunter2-hunter2";
  const document = JSON.stringify({ clusters: [], users: [{ user: { token: secret } }] });
  const configs: Record<string, Record<string, unknown>> = {
    "a ledger that is no URL": goodWith({ ledger: secret }),
    "a ledger with a password": goodWith({ ledger: `postgres://u:${secret}@h/d` }),
    "a kubeconfig in the place of its object": goodWith({ cluster: { type: "existing", kubeconfig: document } }),
    "a kubeconfig in the place of its path": goodWith({
      cluster: { type: "existing", kubeconfig: { path: document } },
    }),
    "a kubeconfig under a wrong key": goodWith({ cluster: { type: "existing", kubeconfig: { contnet: document } } }),
    "a kubeconfig in the place of a list": goodWith({
      cluster: { type: "existing", kubeconfig: { content: [secret] } },
    }),
    "a bad kubeconfig": goodWith({
      cluster: { type: "existing", kubeconfig: { content: `clusters: [\ntoken: ${secret}` } },
    }),
    "a password in a host": poolHost(`http://u:${secret}@h:1`),
    "a document in the place of a host": poolHost(document),
  };
  function poolHost(host: string): Record<string, unknown> {
    return goodWith({
      provisioners: { shared: { type: "static", spec: { runtimes: [{ host, slots: 1 }] } } },
      environments: {},
    });
  }
  for (const [what, values] of Object.entries(configs)) {
    it(`are not in the error about ${what}`, () => {
      const lines = linesOf(values, {}, FILES);
      assert.notDeepEqual(lines, []);
      assert.doesNotMatch(lines.join("\n"), new RegExp(secret));
    });
  }

  it("include all other values under a key that Pulumi encrypts", () => {
    const lines = linesOf(poolHost(`https://${secret}/x`), { secretKeys: new Set(["provisioners"]) });
    assert.deepEqual(
      lines.map((line) => line.replace(/;.*/, "")),
      ["provisioners.shared.spec.runtimes[0].host: found a text"],
    );
  });
});
