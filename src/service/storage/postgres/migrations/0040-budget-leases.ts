/**
 * Leases of budgets. `lease_holders` has the running nodes that hold leases, and when these end by PostgreSQL's clock.
 * `budget_grants` has the figures of each budget's latest grant; its constraint refuses a grant above the limit.
 */
export const budgetLeases = `
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
