-- Up Migration

-- Messages about notices, as those about the ends of operations.
create table notice_delivery (
  notice_id bigint primary key references notice (id) on delete cascade,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- Why the last try failed.
  error text,
  queued_at timestamptz not null default now(),
  delivered_at timestamptz
);
-- What was reported last about something.
create index notice_of_subject on notice (subject, id desc);

-- Down Migration

drop index notice_of_subject;
drop table notice_delivery;
