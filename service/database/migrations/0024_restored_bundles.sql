-- Up Migration

alter table bundle
  -- What was restored last, as [{object, text}], and when.
  add column restored jsonb not null default '[]',
  add column restored_at timestamptz,
  -- Field managers that had set what the last look found different.
  add column managers text[] not null default '{}';

-- Down Migration

alter table bundle drop column restored, drop column restored_at, drop column managers;
