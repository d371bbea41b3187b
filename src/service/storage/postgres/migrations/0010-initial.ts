import { initial as ofSqlite } from '../../sqlite/migrations/0010-initial.ts'
import { inPostgres } from '../in-postgres.ts'

/** What the tables of several nodes have in other places than at their end. */
const replaced: readonly [translated: string, own: string][] = [
  // A partition for each UTC day: deleting a day drops a table. node is the node that stored the row; the transaction
  // sets it. seq orders rows as they were stored.
  [
    'CREATE TABLE requests (\n    id TEXT COLLATE "C" PRIMARY KEY',
    'CREATE SEQUENCE requests_seq;\n  CREATE TABLE requests (\n    id TEXT COLLATE "C" NOT NULL',
  ],
  [
    `
  );
  CREATE INDEX requests_by_router`,
    `,
    node TEXT COLLATE "C" NOT NULL DEFAULT coalesce(current_setting('modelport.node', true), ''),
    seq BIGINT NOT NULL DEFAULT nextval('requests_seq'),
    PRIMARY KEY (id, started_at_ms)
  ) PARTITION BY RANGE (started_at_ms);
  CREATE INDEX requests_by_router`,
  ],
  // A cell has a row for each slot: each node writes to the rows of one slot, so that nodes seldom wait for each other.
  ['    requests BIGINT NOT NULL', '    slot BIGINT NOT NULL,\n    requests BIGINT NOT NULL'],
  ['model, api_key_id, tag)', 'model, api_key_id, tag, slot)'],
]

const added = `
  ---- What only PostgreSQL has ----

  ALTER TABLE request_contents ADD COLUMN seq BIGINT GENERATED ALWAYS AS IDENTITY;
  ALTER TABLE executions ADD COLUMN seq BIGINT GENERATED ALWAYS AS IDENTITY;
  ALTER TABLE conversations ADD COLUMN seq BIGINT GENERATED ALWAYS AS IDENTITY;

  -- Each rise notifies every node.
  CREATE FUNCTION notify_configuration() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('modelport_configuration', NEW.version::text);
      RETURN NULL;
    END
  $$;
  CREATE TRIGGER configuration_changed AFTER UPDATE ON configuration_version
    FOR EACH ROW EXECUTE FUNCTION notify_configuration();

  -- Provider keys that are encrypted outside of the database (secrets/sealed-keys.ts).
  CREATE TABLE sealed_keys (
    id TEXT COLLATE "C" PRIMARY KEY,
    text TEXT COLLATE "C" NOT NULL
  );

  -- The downloaded catalog of all nodes: one row, whose text is NULL after a return to the included catalog.
  CREATE TABLE downloaded_catalog (
    is_only BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (is_only),
    revision BIGINT NOT NULL,
    text TEXT COLLATE "C"
  );

  -- The running nodes that hold leases of budgets, and when these end by PostgreSQL's clock.
  CREATE TABLE lease_holders (
    id TEXT COLLATE "C" PRIMARY KEY,
    ends_at_ms BIGINT NOT NULL
  );

  CREATE TABLE budget_leases (
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('router', 'key')),
    owner_id TEXT COLLATE "C" NOT NULL,
    period TEXT COLLATE "C" NOT NULL CHECK (period IN ('day', 'month')),
    start_ms BIGINT NOT NULL,
    holder TEXT COLLATE "C" NOT NULL REFERENCES lease_holders (id) ON DELETE CASCADE,
    nano_usd BIGINT NOT NULL CHECK (nano_usd >= 0),
    PRIMARY KEY (kind, owner_id, period, start_ms, holder)
  );
  CREATE INDEX budget_leases_by_holder ON budget_leases (holder);

  -- The figures of each budget's latest grant; the constraint refuses a grant above the limit.
  CREATE TABLE budget_grants (
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('router', 'key')),
    owner_id TEXT COLLATE "C" NOT NULL,
    period TEXT COLLATE "C" NOT NULL CHECK (period IN ('day', 'month')),
    start_ms BIGINT NOT NULL,
    limit_nano_usd BIGINT NOT NULL,
    spent_nano_usd BIGINT NOT NULL,
    leased_nano_usd BIGINT NOT NULL,
    PRIMARY KEY (kind, owner_id, period),
    CHECK (spent_nano_usd + leased_nano_usd <= limit_nano_usd)
  );
`

/** The schema of version 0.2.0. Tables that SQLite has too mean the same (`sqlite/migrations/0010-initial.ts`). */
export const initial =
  replaced.reduce((sql, [translated, own]) => sql.replace(translated, own), inPostgres(ofSqlite)) +
  added
