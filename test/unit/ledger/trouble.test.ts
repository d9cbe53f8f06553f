import assert from "node:assert/strict";
import { DatabaseError } from "pg";
import { explain, worthRetrying } from "../../../provider/ledger/trouble";

const sql = (code: string): DatabaseError =>
  Object.assign(new DatabaseError("reported by PostgreSQL", 1, "error"), { code });
const network = (code: string): Error => Object.assign(new Error(code), { code });

describe("A failure of the ledger", () => {
  for (const code of ["40001", "40P01", "55P03", "57P01", "57P02", "57P03", "53300"]) {
    it(`is tried again often where PostgreSQL says ${code}`, () => assert.equal(worthRetrying(sql(code)), "often"));
  }

  for (const code of ["ECONNRESET", "ECONNREFUSED", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"]) {
    it(`is tried again a little after ${code}`, () => assert.equal(worthRetrying(network(code)), "a little"));
  }

  it("is tried again a little where tables were lost, and for each address of a name", () => {
    assert.equal(worthRetrying(sql("42P01")), "a little");
    assert.equal(worthRetrying(new AggregateError([network("EPIPE"), network("ECONNREFUSED")])), "a little");
    assert.equal(worthRetrying(new Error("Connection terminated unexpectedly")), "a little");
  });

  it("is never tried again where another try would fare the same", () => {
    for (const code of ["28P01", "3D000", "42501", "23514"]) assert.equal(worthRetrying(sql(code)), "never", code);
    assert.equal(worthRetrying(network("ENOTFOUND")), "never");
    assert.equal(worthRetrying(new TypeError("ours")), "never");
  });

  it("names the ledger, and no password", () => {
    const said = explain(sql("28P01"), "postgres://me:s3cret@db:5433/slots") as Error;
    assert.match(said.message, /the ledger \(PostgreSQL db:5433\/slots\) refused the login/);
    assert.ok(!said.message.includes("s3cret"));
    const ours = new TypeError("ours");
    assert.equal(explain(ours, "postgres://db"), ours);
  });
});
