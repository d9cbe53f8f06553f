-- Up Migration

-- What waits or runs, for those who follow a tenant's operations, and the operations of a time.
create index operation_active on operation (tenant, id) where state in ('pending', 'in_progress');
create index operation_requested on operation (requested_at);

-- Down Migration

drop index operation_active, operation_requested;
