-- Up Migration

-- Each accepted request is an operation of its own. A request that a later one of its caller includes ends as replaced.
alter table operation
  drop constraint operation_state_check,
  add constraint operation_state_check
    check (state in ('pending', 'in_progress', 'succeeded', 'failed', 'canceled', 'replaced')),
  -- Deferred, because the earlier operation ends before the later one is written.
  add column replaced_by uuid references operation (id) deferrable initially deferred,
  add constraint operation_replaced check ((state = 'replaced') = (replaced_by is not null)),
  -- The request named the revision that it is based on.
  add column guarded boolean not null default false;

-- Requests of several callers wait, in the order of their revisions.
drop index operation_pending;
create index operation_pending on operation (deployment_id, revision) where state = 'pending';

-- Down Migration

-- The version before knows neither several requests that wait nor replaced ones.
update operation set state = 'canceled', message = 'canceled by the return to an earlier version of the service', ended_at = now()
  where state = 'pending' and exists (
    select from operation other
    where other.deployment_id = operation.deployment_id and other.state = 'pending' and other.revision < operation.revision
  );
alter table operation drop constraint operation_replaced;
update operation set state = 'canceled' where state = 'replaced';
drop index operation_pending;
create unique index operation_pending on operation (deployment_id) where state = 'pending';
alter table operation
  drop column guarded,
  drop column replaced_by,
  drop constraint operation_state_check,
  add constraint operation_state_check check (state in ('pending', 'in_progress', 'succeeded', 'failed', 'canceled'));
