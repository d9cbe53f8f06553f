import assert from "node:assert/strict";
import { DatabaseError } from "pg";
import { explain, worthRetrying } from "../../../provider/ledger/trouble";

const sql = (code: string): DatabaseError =>
  Object.assign(new DatabaseError("reported by PostgreSQL", 1, "error"), { code });
const network = (code: string): Error => Object.assign(new Error(code), { code });

describe("a failure of the ledger", () => {
  for (const code of ["40001", "40P01", "55P03", "57P01", "57P02", "57P03", "53300"]) {
    it(`is retried often after PostgreSQL error ${code}`, () => assert.equal(worthRetrying(sql(code)), "often"));
  }

  for (const code of ["ECONNRESET", "ECONNREFUSED", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"]) {
    it(`is retried a few times after ${code}`, () => assert.equal(worthRetrying(network(code)), "a little"));
  }

  it("is retried a few times after lost tables or lost connections", () => {
    assert.equal(worthRetrying(sql("42P01")), "a little");
    assert.equal(worthRetrying(new AggregateError([network("EPIPE"), network("ECONNREFUSED")])), "a little");
    assert.equal(worthRetrying(new Error("Connection terminated unexpectedly")), "a little");
  });

  it("is never retried after a permanent error", () => {
    for (const code of ["28P01", "3D000", "42501", "23514"]) assert.equal(worthRetrying(sql(code)), "never", code);
    assert.equal(worthRetrying(network("ENOTFOUND")), "never");
    assert.equal(worthRetrying(new TypeError("ours")), "never");
  });

  it("is explained with the address of the ledger, but without its password", () => {
    const said = explain(sql("28P01"), "postgres://me:s3cret@db:5433/slots") as Error;
    assert.match(said.message, /the ledger \(PostgreSQL db:5433\/slots\) refused the login/);
    assert.ok(!said.message.includes("s3cret"));
    for (const code of ["26000", "42P05"])
      assert.match((explain(sql(code), "postgres://db/slots") as Error).message, /pool_mode = session/);
    const ours = new TypeError("ours");
    assert.equal(explain(ours, "postgres://db"), ours);
  });
});
