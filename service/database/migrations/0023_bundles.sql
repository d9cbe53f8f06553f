-- Up Migration

-- Bundles of platforms that the service reconciles, and what it has found of each.
create table bundle (
  platform text not null,
  urn text not null,
  -- As namespace/name.
  name text not null,
  every_seconds integer not null,
  -- Null before the first look.
  standing text check (standing in ('clean', 'repaired', 'differs', 'busy', 'paused', 'failed')),
  reason text,
  -- Number of looks in a row that restored something.
  streak integer not null default 0,
  -- Number of objects that were restored so far.
  repairs integer not null default 0,
  checked_at timestamptz,
  next_at timestamptz not null,
  primary key (platform, urn)
);

-- Down Migration

drop table bundle;
