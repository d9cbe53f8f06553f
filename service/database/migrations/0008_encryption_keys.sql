-- Up Migration

-- Keys that values of this database are sealed with, each with a text sealed by it: whether a process has the right keys shows
-- at its start. The keys themselves are elsewhere.
create table encryption_key (
  id text primary key,
  sealed jsonb not null,
  first_used_at timestamptz not null default now()
);

-- Down Migration

drop table encryption_key;
