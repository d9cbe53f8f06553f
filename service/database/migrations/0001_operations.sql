-- Up Migration

-- What a tenant wants, and what it has.
create table deployment (
  id text primary key,
  tenant text not null,
  -- The runtime's config as the newest accepted request has it: {platform, deployment}.
  wish jsonb not null,
  revision integer not null default 1,
  desired_state text not null check (desired_state in ('running', 'hibernated', 'absent')),
  protected boolean not null default false,
  provisioner text,
  outputs jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index deployment_of_tenant on deployment (tenant, id);

create table operation (
  id uuid primary key,
  deployment_id text not null references deployment (id),
  tenant text not null,
  kind text not null check (kind in ('provision', 'update', 'hibernate', 'wake', 'move', 'deprovision', 'refresh')),
  state text not null default 'pending'
    check (state in ('pending', 'in_progress', 'succeeded', 'failed', 'canceled')),
  change jsonb not null default '{"deployment": {}}',
  -- Looks first how everything is, whatever the kind is.
  refresh boolean not null default false,
  revision integer not null,
  -- The deployment's wish before it was asked for; null where there was no deployment.
  wish_before jsonb,
  stage text,
  attempts integer not null default 0,
  error jsonb,
  message text not null,
  requested_by text not null,
  requested_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  deadline_at timestamptz,
  -- Which process works on it, and until when nobody else may. A process that can't renew it gives the work up before.
  lease_owner text,
  lease_until timestamptz,
  -- Engines that worked on it, as {host, pid}: a lock that one of them left behind is ours.
  engines jsonb not null default '[]',
  cancel_requested_at timestamptz,
  retry_of uuid references operation (id),
  result jsonb
);
-- What the whole service stands on: one operation at a time for each deployment, and one that follows it.
create unique index operation_in_progress on operation (deployment_id) where state = 'in_progress';
create unique index operation_pending on operation (deployment_id) where state = 'pending';
create index operation_of_deployment on operation (deployment_id, id desc);
create index operation_of_tenant on operation (tenant, id desc);
create index operation_lease on operation (lease_until) where state = 'in_progress';

create table stage (
  operation_id uuid not null references operation (id) on delete cascade,
  number integer not null,
  name text not null,
  state text not null check (state in ('pending', 'in_progress', 'succeeded', 'failed', 'canceled')),
  attempts integer not null default 0,
  started_at timestamptz,
  ended_at timestamptz,
  error jsonb,
  primary key (operation_id, number)
);

create table event (
  id bigint generated always as identity primary key,
  operation_id uuid not null references operation (id) on delete cascade,
  at timestamptz not null default now(),
  -- state, stage, step, diagnostic or note.
  kind text not null,
  text text not null,
  data jsonb
);
create index event_of_operation on event (operation_id, id);

create function tell_event() returns trigger language plpgsql as $$
begin
  perform pg_notify('stackyard_event', json_build_object('id', new.id::text, 'operationId', new.operation_id)::text);
  return null;
end
$$;
create trigger event_is_told after insert on event for each row execute function tell_event();

create function tell_cancel() returns trigger language plpgsql as $$
begin
  perform pg_notify('stackyard_cancel', new.id::text);
  return null;
end
$$;
create trigger cancel_is_told after update of cancel_requested_at on operation
  for each row when (old.cancel_requested_at is null and new.cancel_requested_at is not null)
  execute function tell_cancel();

create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  tenant text not null,
  actor text not null,
  address text,
  action text not null,
  target text not null,
  -- accepted, or the code of the error that it was refused with.
  outcome text not null,
  details jsonb not null default '{}'
);
create index audit_of_tenant on audit (tenant, id desc);

create table idempotency (
  tenant text not null,
  key text not null,
  -- Digest of what was asked for: the same key for something else is refused.
  digest text not null,
  operation_id uuid not null references operation (id) on delete cascade,
  at timestamptz not null default now(),
  primary key (tenant, key)
);

-- Limits of a tenant; the one called * is for those that have none of their own. Null: no limit.
create table quota (
  tenant text primary key,
  deployments integer check (deployments >= 0),
  slots integer check (slots >= 0)
);

-- Down Migration

drop table quota, idempotency, audit, event, stage, operation, deployment;
drop function tell_event, tell_cancel;
