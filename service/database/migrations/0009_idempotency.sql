-- Up Migration

-- What a request with a key came to: an operation, a deployment or a rollout.
alter table idempotency
  alter column operation_id drop not null,
  add column deployment_id text references deployment (id) on delete cascade,
  add column rollout_id uuid references rollout (id) on delete cascade,
  add constraint idempotency_result check (num_nonnulls(operation_id, deployment_id, rollout_id) = 1);

-- Down Migration

delete from idempotency where operation_id is null;
alter table idempotency
  drop constraint idempotency_result,
  drop column rollout_id,
  drop column deployment_id,
  alter column operation_id set not null;
