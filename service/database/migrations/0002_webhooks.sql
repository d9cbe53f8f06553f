-- Up Migration

-- Messages about the ends of operations, each until somebody has taken it or nobody did for long enough.
create table webhook_delivery (
  operation_id uuid primary key references operation (id) on delete cascade,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- Why the last try failed.
  error text,
  queued_at timestamptz not null default now(),
  delivered_at timestamptz
);

-- When each deployment was last compared with its cluster, and what was found.
create table drift (
  deployment_id text primary key references deployment (id) on delete cascade,
  checked_at timestamptz not null,
  -- Changes that would bring it back to what it should be, as a plan has them. Null: as it should be.
  changes jsonb,
  -- Why it could not be compared.
  error text,
  repair_operation_id uuid references operation (id)
);

-- Down Migration

drop table drift, webhook_delivery;
