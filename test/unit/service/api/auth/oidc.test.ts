import assert from "node:assert/strict";
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey, type JWK } from "jose";
import { ApiError } from "../../../../../service/api/errors";
import { oidcVerifier, type OidcSettings } from "../../../../../service/api/auth/oidc";

const ISSUER = "https://issuer.example.com";
const JWKS = `${ISSUER}/keys`;
const now = (): number => Math.floor(Date.now() / 1000);

/** An issuer with keys; `served` counts how often they were read. */
function issuer() {
  const keys: JWK[] = [];
  const state = { served: 0, status: 200, discovered: ISSUER };
  const addKey = async (kid: string): Promise<CryptoKey> => {
    const { publicKey, privateKey } = await generateKeyPair("RS256");
    keys.push({ ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" });
    return privateKey;
  };
  const answer = (url: string): Response => {
    if (url.endsWith("/.well-known/openid-configuration")) {
      return Response.json({ issuer: state.discovered, jwks_uri: JWKS });
    }
    state.served += 1;
    return Response.json({ keys }, { status: state.status });
  };
  const fetching = ((input: string | URL) => Promise.resolve(answer(String(input)))) as typeof fetch;
  return { addKey, state, fetching };
}

const settings = (fetching: typeof fetch, more: Partial<OidcSettings> = {}): OidcSettings => ({
  issuer: ISSUER,
  audience: "stackyard",
  clockSkewMs: 30_000,
  rolesClaim: "stackyard",
  fetch: fetching,
  ...more,
});

const CLAIMS = { iss: ISSUER, aud: "stackyard", sub: "user-1", stackyard: { acme: "operator" } };

const sign = (key: CryptoKey, claims: object = {}, kid = "one"): Promise<string> =>
  new SignJWT({ ...CLAIMS, exp: now() + 60, ...claims }).setProtectedHeader({ alg: "RS256", kid }).sign(key);

async function refusal(promise: Promise<unknown>): Promise<{ code: string; reason: string }> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return error.parts;
  }
  return assert.fail("the token was accepted");
}

describe("tokens of an OIDC issuer", () => {
  it("identify the caller and the caller's role in each tenant", async () => {
    const { addKey, fetching } = issuer();
    const key = await addKey("one");
    const verify = oidcVerifier(settings(fetching));
    assert.deepEqual(await verify(await sign(key)), { actor: "user-1", roles: { acme: "operator" } });
    const lists = await sign(key, { stackyard: ["acme:viewer", "*:admin", "x:king", "bad tenant:viewer", 1] });
    assert.deepEqual((await verify(lists)).roles, { acme: "viewer", "*": "admin" });
    assert.deepEqual((await verify(await sign(key, { stackyard: undefined }))).roles, {});
  });

  it("identify a person by email address only if the address is verified", async () => {
    const { addKey, fetching } = issuer();
    const key = await addKey("one");
    const verify = oidcVerifier(settings(fetching));
    const email = "ann@example.com";
    assert.equal((await verify(await sign(key, { email, email_verified: true }))).actor, email);
    assert.equal((await verify(await sign(key, { email }))).actor, "user-1");
  });

  it("are rejected without a readable name", async () => {
    const { addKey, fetching } = issuer();
    const key = await addKey("one");
    const verify = oidcVerifier(settings(fetching));
    for (const sub of [
      "",
      " ",
      "\t",
      "ci ",
      " ci",
      "a\u0000b",
      "a\u200bb",
      "a\u202eb",
      "x".repeat(256),
      7,
      null,
      {},
      ["ci"],
    ]) {
      const { code, reason } = await refusal(verify(await sign(key, { sub })));
      assert.deepEqual(
        [code, reason],
        ["UNAUTHENTICATED", "the token's claim sub is not as expected"],
        JSON.stringify(sub),
      );
    }
  });

  it("give no caller the name of another person or of the service", async () => {
    const { addKey, fetching } = issuer();
    const key = await addKey("one");
    const verify = oidcVerifier(settings(fetching));
    for (const sub of [
      "ann@example.com",
      "static-token-1",
      "tenant acme",
      "drift",
      "lifetime",
      "sub:ann@example.com",
    ]) {
      assert.equal((await verify(await sign(key, { sub }))).actor, `sub:${sub}`);
    }
    for (const email of ["", "static-token-1", "ann", "a b@example.com"]) {
      assert.equal((await verify(await sign(key, { email, email_verified: true }))).actor, "user-1");
    }
  });

  it("are rejected if a claim is wrong", async () => {
    const { addKey, fetching } = issuer();
    const key = await addKey("one");
    const verify = oidcVerifier(settings(fetching));
    const wrong = [
      { aud: "another" },
      { iss: "https://another.example.com" },
      { exp: now() - 60 },
      { nbf: now() + 60 },
      { exp: undefined },
      { sub: undefined },
    ];
    for (const claims of wrong) {
      assert.equal((await refusal(verify(await sign(key, claims)))).code, "UNAUTHENTICATED", JSON.stringify(claims));
    }
  });

  it("are accepted within the allowed clock skew", async () => {
    const { addKey, fetching } = issuer();
    const key = await addKey("one");
    const verify = oidcVerifier(settings(fetching));
    await verify(await sign(key, { exp: now() - 20 }));
    await verify(await sign(key, { nbf: now() + 20 }));
    const strict = oidcVerifier(settings(fetching, { clockSkewMs: 1000 }));
    assert.equal((await refusal(strict(await sign(key, { exp: now() - 20 })))).reason, "the token has expired");
  });

  it("are rejected with a foreign key, a shared key or no signature", async () => {
    const { addKey, fetching } = issuer();
    await addKey("one");
    const { privateKey } = await generateKeyPair("RS256");
    const verify = oidcVerifier(settings(fetching));
    const unsecured = new UnsecuredJWT({ ...CLAIMS, exp: now() + 60 }).encode();
    const shared = await new SignJWT({ ...CLAIMS, exp: now() + 60 })
      .setProtectedHeader({ alg: "HS256", kid: "one" })
      .sign(Buffer.alloc(32, 1));
    for (const token of [await sign(privateKey), unsecured, shared, "no.token.atall", "x"]) {
      assert.equal((await refusal(verify(token))).code, "UNAUTHENTICATED");
    }
  });

  it("are verified with keys that are read once", async () => {
    const { addKey, fetching, state } = issuer();
    const key = await addKey("one");
    const verify = oidcVerifier(settings(fetching, { jwksUrl: JWKS }));
    await verify(await sign(key));
    await verify(await sign(key));
    assert.equal(state.served, 1);
  });

  it("cannot be verified while the issuer is unavailable, which is not a caller error", async () => {
    const { addKey, fetching, state } = issuer();
    const key = await addKey("one");
    state.status = 503;
    const verify = oidcVerifier(settings(fetching));
    assert.equal((await refusal(verify(await sign(key)))).code, "UNAVAILABLE");
    state.status = 200;
    assert.equal((await verify(await sign(key))).actor, "user-1");
  });

  it("cannot be verified with the discovery document of another issuer", async () => {
    const { addKey, fetching, state } = issuer();
    const key = await addKey("one");
    state.discovered = "https://another.example.com";
    assert.equal((await refusal(oidcVerifier(settings(fetching))(await sign(key)))).code, "UNAVAILABLE");
  });
});
