-- Up Migration

-- Number of the lease: rises whenever a process takes the operation. What a process writes about an operation names its lease, and
-- is refused when another process has taken the operation since, or the same process once more.
alter table operation add column lease_epoch integer not null default 0;
-- Until then, engines of a process that ended may run elsewhere than where it is known that it ended. Null: none may.
alter table operation add column engines_until timestamptz;

-- Down Migration

alter table operation drop column engines_until;
alter table operation drop column lease_epoch;
