-- Up Migration

-- What a request with a key came to may be a refusal.
alter table idempotency
  add column refusal jsonb,
  drop constraint idempotency_result,
  add constraint idempotency_result check (num_nonnulls(operation_id, deployment_id, rollout_id, disks, refusal) = 1);

-- Down Migration

delete from idempotency where refusal is not null;
alter table idempotency
  drop constraint idempotency_result,
  drop column refusal,
  add constraint idempotency_result check (num_nonnulls(operation_id, deployment_id, rollout_id, disks) = 1);
