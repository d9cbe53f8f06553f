/**
 * The tables of the ledger and their migrations. A released migration never changes; add a new one.
 *
 * The database enforces the two important rules for every writer: a trigger counts the slots used on each host, and a
 * check constraint rejects a statement that exceeds the host's slots.
 */

interface Migration {
  readonly version: number;
  readonly sql: string;
}

export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE stackyard.pools (
        pool       text PRIMARY KEY,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      );

      -- One row for each host, however many pools name it: its slots are there once.
      CREATE TABLE stackyard.hosts (
        host  text PRIMARY KEY,
        slots integer NOT NULL CHECK (slots > 0),
        used  integer NOT NULL DEFAULT 0,
        CONSTRAINT hosts_not_overfull CHECK (used BETWEEN 0 AND slots)
      );

      CREATE TABLE stackyard.pool_hosts (
        pool         text NOT NULL REFERENCES stackyard.pools ON DELETE CASCADE,
        host         text NOT NULL REFERENCES stackyard.hosts,
        slots        integer NOT NULL CHECK (slots > 0),
        data_dir     text NOT NULL,
        audience_url text NOT NULL,
        weight       double precision NOT NULL CHECK (weight > 0),
        drain        boolean NOT NULL,
        position     integer NOT NULL,
        PRIMARY KEY (pool, host)
      );
      CREATE INDEX pool_hosts_host ON stackyard.pool_hosts (host);

      CREATE TABLE stackyard.allocations (
        pool       text NOT NULL,
        deployment text NOT NULL,
        host       text NOT NULL,
        slots      integer NOT NULL CHECK (slots > 0),
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (pool, deployment),
        FOREIGN KEY (pool, host) REFERENCES stackyard.pool_hosts
      );
      CREATE INDEX allocations_host ON stackyard.allocations (host);

      CREATE FUNCTION stackyard.count_used() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'UPDATE' AND OLD.host = NEW.host THEN
          UPDATE stackyard.hosts SET used = used - OLD.slots + NEW.slots WHERE host = NEW.host;
          RETURN NULL;
        END IF;
        -- Two moves in opposite directions must not wait for each other: rows are always taken in one order.
        IF TG_OP = 'UPDATE' AND OLD.host > NEW.host THEN
          UPDATE stackyard.hosts SET used = used + NEW.slots WHERE host = NEW.host;
          UPDATE stackyard.hosts SET used = used - OLD.slots WHERE host = OLD.host;
          RETURN NULL;
        END IF;
        IF TG_OP <> 'INSERT' THEN
          UPDATE stackyard.hosts SET used = used - OLD.slots WHERE host = OLD.host;
        END IF;
        IF TG_OP <> 'DELETE' THEN
          UPDATE stackyard.hosts SET used = used + NEW.slots WHERE host = NEW.host;
        END IF;
        RETURN NULL;
      END $$;

      CREATE TRIGGER used_slots AFTER INSERT OR DELETE OR UPDATE OF host, slots ON stackyard.allocations
        FOR EACH ROW EXECUTE FUNCTION stackyard.count_used();
    `,
  },
  {
    // Rows get their owner with their next change: see owners/rows.ts.
    version: 2,
    sql: ["allocations", "pools"]
      .map(
        (table) => `
      ALTER TABLE stackyard.${table}
        ADD COLUMN owner        text,
        ADD COLUMN stack        text,
        ADD COLUMN backend      text,
        ADD COLUMN generation   integer NOT NULL DEFAULT 0,
        ADD COLUMN changed_from integer NOT NULL DEFAULT 0,
        ADD COLUMN changed_by   text,
        ADD COLUMN change_id    text,
        ADD COLUMN offered_to   text;`,
      )
      .join("\n"),
  },
];

export const NEWEST = Math.max(...MIGRATIONS.map((migration) => migration.version));
