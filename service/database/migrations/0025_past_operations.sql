-- Up Migration

-- What an earlier system reported of an operation that it ran: {id, operation, lastError}. Null for operations of the service.
alter table operation add column past jsonb;
create unique index operation_past on operation ((past ->> 'id')) where past is not null;

-- Down Migration

delete from operation where past is not null;
alter table operation drop column past;
