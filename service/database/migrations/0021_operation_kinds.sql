-- Up Migration

-- service/kinds/kinds.ts has all kinds. Whoever adds an operation says whether it is a use of its deployment.
alter table operation
  drop constraint operation_kind_check,
  add column is_use boolean not null default true;
drop trigger use_is_noted on operation;
create trigger use_is_noted after insert on operation for each row when (new.is_use) execute function note_use();

-- Down Migration

drop trigger use_is_noted on operation;
create trigger use_is_noted after insert on operation for each row
  when (new.kind in ('provision', 'update', 'wake', 'move'))
  execute function note_use();
-- Kinds that later versions had.
update operation set kind = 'update'
  where kind not in ('provision', 'update', 'hibernate', 'wake', 'move', 'deprovision', 'refresh');
alter table operation
  drop column is_use,
  add constraint operation_kind_check
    check (kind in ('provision', 'update', 'hibernate', 'wake', 'move', 'deprovision', 'refresh'));
