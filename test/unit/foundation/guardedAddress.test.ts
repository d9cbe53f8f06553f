import assert from "node:assert/strict";
import dns from "node:dns";
import { mock } from "node:test";
import { Guard } from "../../../foundation/net/address";

const NAMES: Readonly<Record<string, readonly string[]>> = {
  "charts.example.com": ["203.0.113.9"],
  "both.example.com": ["203.0.113.9", "10.1.2.3"],
  "inner.example.com": ["10.1.2.3"],
  "other.example.com": ["192.168.0.7"],
  "near.example.com": ["127.0.0.1"],
  "metadata.example.com": ["169.254.169.254"],
  localhost: ["127.0.0.1"],
};

describe("the address that a source leads to", () => {
  before(() => {
    mock.method(dns, "lookup", (host: string, { all }: dns.LookupOptions, done: (...args: unknown[]) => void) => {
      assert.equal(all, true, "each address of a name is checked");
      const found = NAMES[host]?.map((address) => ({ address, family: 4 }));
      done(found === undefined ? new Error(`no address for ${host}`) : null, found);
    });
  });
  after(() => mock.restoreAll());

  const lookUp = (guard: Guard, host: string, all = true): Promise<unknown> =>
    new Promise((resolve, reject) => {
      guard.lookup(host, { all }, (error, ...found) => (error ? reject(error) : resolve(all ? found[0] : found)));
    });
  const from = (origin: string): Guard => new Guard(new URL(origin));

  it("is public, or private if the source is", async () => {
    const open = from("https://charts.example.com");
    assert.deepEqual(await lookUp(open, "charts.example.com"), [{ address: "203.0.113.9", family: 4 }]);
    await assert.rejects(
      lookUp(open, "inner.example.com"),
      /^Refused: charts\.example\.com leads to inner\.example\.com, which is 10\.1\.2\.3, in a private network; expected a public address$/,
    );
    const inner = from("https://inner.example.com");
    for (const host of ["inner.example.com", "other.example.com", "charts.example.com"]) await lookUp(inner, host);
    for (const host of ["near.example.com", "metadata.example.com"])
      await assert.rejects(lookUp(inner, host), /leads to/);
  });

  it("may be private only after the source's own name was", async () => {
    const guard = from("https://inner.example.com");
    await assert.rejects(lookUp(guard, "other.example.com"), /leads to other\.example\.com/);
    await lookUp(guard, "inner.example.com");
    await lookUp(guard, "other.example.com");
  });

  it("is not private if the source is public too", async () => {
    await assert.rejects(
      lookUp(from("https://both.example.com"), "both.example.com"),
      /both\.example\.com, which is 10\.1\.2\.3, is in a private network; expected an address that is public/,
    );
  });

  it("is on this machine only if the source says so", async () => {
    for (const host of ["near.example.com", "metadata.example.com"])
      await assert.rejects(lookUp(from(`https://${host}`), host), /or the address itself as the host/);
    const local = from("http://localhost:5000");
    await lookUp(local, "localhost");
    await lookUp(local, "near.example.com");
    await assert.rejects(lookUp(local, "metadata.example.com"), /localhost leads to metadata/);
    await assert.rejects(lookUp(local, "inner.example.com"), /localhost leads to inner/);
  });

  it("is checked where it is given as an address", () => {
    const check = (origin: string, to: string) => () => from(origin).check(new URL(to));
    check("http://127.0.0.1", "http://127.0.0.2")();
    check("http://[::1]", "http://[::1]")();
    check("https://charts.example.com", "https://10.1.2.3.example.com")();
    check("http://0.0.0.0", "http://0.0.0.0")();
    assert.throws(
      check("http://0.0.0.0", "http://0.0.0.1"),
      /0\.0\.0\.0 leads to 0\.0\.0\.1, at no address of one host/,
    );
    assert.throws(
      check("http://127.0.0.1", "http://169.254.169.254"),
      /its cloud's metadata; expected a public address/,
    );
    assert.throws(
      check("https://charts.example.com", "https://10.1.2.3"),
      /leads to 10\.1\.2\.3, in a private network/,
    );
  });

  it("is the first one for a caller that wants one, or the error of the resolver", async () => {
    const guard = from("https://charts.example.com");
    assert.deepEqual(await lookUp(guard, "charts.example.com", false), ["203.0.113.9", 4]);
    await assert.rejects(lookUp(guard, "nothing.example.com"), /no address for nothing\.example\.com/);
  });
});
