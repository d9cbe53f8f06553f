-- Up Migration

-- Since when the tenant has the stack: a disk that was kept before is not the tenant's.
alter table deployment add column owned_since timestamptz;
update deployment set owned_since = least(
  created_at,
  (select min(requested_at) from operation where deployment_id = deployment.id and tenant = deployment.tenant)
);
alter table deployment alter column owned_since set not null, alter column owned_since set default now();

-- What a request with a key came to may be kept disks to delete.
alter table idempotency
  add column disks jsonb,
  drop constraint idempotency_result,
  add constraint idempotency_result check (num_nonnulls(operation_id, deployment_id, rollout_id, disks) = 1);

-- Down Migration

delete from idempotency where disks is not null;
alter table idempotency
  drop constraint idempotency_result,
  drop column disks,
  add constraint idempotency_result check (num_nonnulls(operation_id, deployment_id, rollout_id) = 1);
alter table deployment drop column owned_since;
