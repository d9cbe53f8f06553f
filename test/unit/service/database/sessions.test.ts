import assert from "node:assert/strict";
import type { Pool } from "pg";
import { requireSessions } from "../../../../service/database/sessions";

describe("the sessions of the service's database", () => {
  /** A pool whose queries are answered by sessions with these process ids, one after the other. */
  const poolOf = (...pids: number[]) => {
    let open = 0;
    const client = { query: () => Promise.resolve({ rows: [{ pid: pids.shift() }] }), release: () => (open -= 1) };
    const connect = () => Promise.resolve((open += 1) && client);
    return { pool: { connect } as unknown as Pool, open: () => open };
  };

  it("are accepted if each connection has its own", async () => {
    const { pool, open } = poolOf(1, 2, 1, 2, 1, 2);
    await requireSessions(pool);
    assert.equal(open(), 0);
  });

  it("are rejected if a pooler shares them, also if another process was in between", async () => {
    for (const pids of [
      [1, 1],
      [1, 2, 2, 2],
    ]) {
      const { pool, open } = poolOf(...pids);
      await assert.rejects(requireSessions(pool), /pool_mode = session/);
      assert.equal(open(), 0);
    }
  });
});
