-- Up Migration

-- Brings deployments to what their platform's stack says now, some at a time.
create table rollout (
  id uuid primary key,
  platform text not null,
  -- The tenant whose deployments they are; null for those of all.
  tenant text,
  state text not null default 'planning'
    check (state in ('planning', 'planned', 'running', 'succeeded', 'failed', 'canceled')),
  -- As the command line takes them, such as 1,10%,50%; null for one wave.
  waves text,
  -- How many operations may fail before no other wave is begun.
  max_failures integer not null default 0 check (max_failures >= 0),
  -- Ends when it is known what would change.
  dry_run boolean not null default false,
  message text not null,
  requested_by text not null,
  requested_at timestamptz not null default now(),
  ended_at timestamptz
);
-- Two at a time would undo each other's limits.
create unique index rollout_active on rollout (platform) where state in ('planning', 'running');

create table rollout_item (
  rollout_id uuid not null references rollout (id) on delete cascade,
  deployment_id text not null references deployment (id) on delete cascade,
  state text not null check (state in ('unchanged', 'changes', 'unknown', 'running', 'succeeded', 'failed', 'skipped')),
  wave integer,
  -- What would change, as a plan has it, in an object with the list.
  changes jsonb,
  -- Why that could not be told.
  error text,
  operation_id uuid references operation (id),
  primary key (rollout_id, deployment_id)
);

-- Down Migration

drop table rollout_item, rollout;
