-- Up Migration

-- What has ended is deleted after some time. What remembers it stays.
alter table operation
  drop constraint operation_retry_of_fkey,
  add constraint operation_retry_of_fkey foreign key (retry_of) references operation (id) on delete set null;
alter table rollout_item
  drop constraint rollout_item_operation_id_fkey,
  add constraint rollout_item_operation_id_fkey foreign key (operation_id) references operation (id) on delete set null;
alter table drift
  drop constraint drift_repair_operation_id_fkey,
  add constraint drift_repair_operation_id_fkey
    foreign key (repair_operation_id) references operation (id) on delete set null;

-- To find what is old, and what remembers it.
create index operation_ended on operation (ended_at) where ended_at is not null;
create index operation_retried on operation (retry_of) where retry_of is not null;
create index rollout_item_operation on rollout_item (operation_id) where operation_id is not null;
create index idempotency_operation on idempotency (operation_id) where operation_id is not null;
create index idempotency_at on idempotency (at);
create index audit_at on audit (at);
create index notice_at on notice (at);

-- The filters of the lists of the audit trail and of operations.
create index audit_of_target on audit (target, id desc);
create index audit_of_actor on audit (actor, id desc);
create index operation_of_requester on operation (requested_by, id desc);

-- Down Migration

drop index operation_ended, operation_retried, rollout_item_operation, idempotency_operation, idempotency_at, audit_at, notice_at,
  audit_of_target, audit_of_actor, operation_of_requester;
alter table operation
  drop constraint operation_retry_of_fkey,
  add constraint operation_retry_of_fkey foreign key (retry_of) references operation (id);
alter table rollout_item
  drop constraint rollout_item_operation_id_fkey,
  add constraint rollout_item_operation_id_fkey foreign key (operation_id) references operation (id);
alter table drift
  drop constraint drift_repair_operation_id_fkey,
  add constraint drift_repair_operation_id_fkey foreign key (repair_operation_id) references operation (id);
