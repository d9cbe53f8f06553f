import assert from "node:assert/strict";
import { callerAddress, trustedProxies } from "../../../../service/http/callerAddress";
import { readEnvironment } from "../../../../service/environment";

const PROXIES = trustedProxies(["10.0.0.0/8", "192.0.2.7", "fd00::/8"]);

describe("the address of a caller", () => {
  const cases: readonly (readonly [string, string | undefined, string | undefined, string | undefined])[] = [
    ["the connection's without a proxy", "203.0.113.5", undefined, "203.0.113.5"],
    ["the connection's, whatever an untrusted client sends", "203.0.113.5", "198.51.100.1", "203.0.113.5"],
    ["the address that a trusted proxy reports", "10.1.2.3", "198.51.100.1", "198.51.100.1"],
    [
      "the address that the outermost trusted proxy reports",
      "10.1.2.3",
      "198.51.100.1, 192.0.2.7, 10.9.9.9",
      "198.51.100.1",
    ],
    ["not an address that the caller forged", "10.1.2.3", "6.6.6.6, 198.51.100.1, 10.9.9.9", "198.51.100.1"],
    ["the proxy's if the header is missing", "10.1.2.3", undefined, "10.1.2.3"],
    ["the last valid address if an entry is invalid", "10.1.2.3", "evil\u0000, 10.9.9.9", "10.9.9.9"],
    ["returned without a port", "10.1.2.3", "198.51.100.1:4711", "198.51.100.1"],
    ["read from IPv6 notation too", "fd00::1", "[2001:db8::5]:4711", "2001:db8::5"],
    ["returned as IPv4 if it is IPv4-mapped IPv6", "::ffff:10.1.2.3", "::ffff:198.51.100.1", "198.51.100.1"],
    ["unknown if the connection has no address", undefined, "198.51.100.1", undefined],
  ];
  for (const [title, remote, header, expected] of cases) {
    it(`is ${title}`, () => {
      assert.equal(callerAddress(remote, { "x-forwarded-for": header }, PROXIES), expected);
    });
  }

  it("trusts no proxy by default, and rejects invalid networks of proxies", () => {
    const env = { APP_OIDC_ISSUER: "https://issuer.example.com" };
    assert.equal(readEnvironment(env).APP_TRUSTED_PROXIES, undefined);
    assert.equal(trustedProxies([]).check("10.0.0.1"), false);
    const given = readEnvironment({ ...env, APP_TRUSTED_PROXIES: "10.0.0.0/8, ::1,192.0.2.7" });
    assert.deepEqual(given.APP_TRUSTED_PROXIES, ["10.0.0.0/8", "::1", "192.0.2.7"]);
    for (const wrong of ["10.0.0.0/33", "proxy", "10.0.0.0/8;::1", "::1/129", "10.0.0/8", "10.0.0.0/", "*"]) {
      assert.throws(
        () => readEnvironment({ ...env, APP_TRUSTED_PROXIES: wrong }),
        /APP_TRUSTED_PROXIES: found .*; expected networks such as/,
        wrong,
      );
    }
  });
});
