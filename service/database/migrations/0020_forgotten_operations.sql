-- Up Migration

-- Operations are deleted by their age, whatever names them; the check of this constraint read the whole table for each one.
alter table operation drop constraint operation_replaced_by_fkey;
create index drift_repair_operation on drift (repair_operation_id) where repair_operation_id is not null;

-- Down Migration

drop index drift_repair_operation;
update operation set state = 'canceled', replaced_by = null
  where replaced_by is not null and not exists (select from operation later where later.id = operation.replaced_by);
alter table operation
  add constraint operation_replaced_by_fkey foreign key (replaced_by) references operation (id) deferrable initially deferred;
