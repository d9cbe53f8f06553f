-- Up Migration

-- How full each provisioner was when somebody looked last, so that every process has the same metrics.
create table capacity (
  platform text not null,
  provisioner text not null,
  slots_used integer not null,
  -- Null where there is no fixed number.
  slots_total integer,
  -- The threshold in percent that it has reached, of 70 and 80; 0 for none.
  level integer not null,
  checked_at timestamptz not null default now(),
  primary key (platform, provisioner)
);

-- Whether the pods of each runtime are ready.
create table health (
  deployment_id text primary key references deployment (id) on delete cascade,
  state text not null check (state in ('healthy', 'unhealthy', 'unknown')),
  reason text,
  checked_at timestamptz not null default now()
);

-- What the service has noticed by itself, once for each change: capacity, drift and health.
create table notice (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  kind text not null check (kind in ('capacity', 'drift', 'health')),
  level text not null check (level in ('info', 'warning')),
  -- Null for what belongs to all tenants.
  tenant text,
  -- The deployment, or the provisioner as platform/name.
  subject text not null,
  text text not null
);
create index notice_of_tenant on notice (tenant, id desc);

-- Down Migration

drop table notice, health, capacity;
