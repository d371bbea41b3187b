/** The checks of docs/cluster.md, in its order. */
import type { Check } from '../torture/check.ts'

export const checks: readonly Check[] = [
  {
    number: 1,
    name: 'limits',
    target:
      '20 times 1,000 simultaneous requests at a daily limit of 100: exactly 100 answered; 10 kills of a node lose <= 1 % of 2,000',
    steps: [{ tests: ['cluster/limits.test.ts'] }],
    limitMinutes: 15,
  },
  {
    number: 2,
    name: 'revocation',
    target: 'a key that one node revoked is refused by the others within 1 s (p99 of 100)',
    steps: [{ tests: ['cluster/revocation.test.ts'] }],
    limitMinutes: 10,
  },
  {
    number: 3,
    name: 'kills',
    target:
      '30 kills of any process under load: 0 whole answers without exactly one row, recovery within 5 s',
    steps: [{ tests: ['cluster/kills.test.ts'] }],
    limitMinutes: 20,
  },
  {
    number: 4,
    name: 'budget',
    target:
      '300 streams with failures, aborts, a killed node and a restarted Valkey: $5.00 or less recorded, one row per whole answer',
    steps: [{ tests: ['cluster/budget.test.ts'] }],
    limitMinutes: 15,
  },
  {
    number: 5,
    name: 'reports',
    target:
      '1,000,000 rows: each question of the usage page <= 300 ms, retention of a day <= 100 ms',
    steps: [{ tests: ['cluster/reports.test.ts'] }],
    limitMinutes: 20,
  },
  {
    number: 6,
    name: 'upgrade',
    target:
      'nodes replaced one after another by a version with a new migration, under load: 0 failed requests',
    steps: [{ tests: ['cluster/upgrade.test.ts'] }],
    limitMinutes: 10,
  },
  {
    number: 7,
    name: 'scaling',
    target:
      'one node on PostgreSQL and Valkey answers >= 0.85 times the requests of one on SQLite, three >= 0.85 times those of three that share nothing; p50 + <= 0.1 ms',
    steps: [{ tests: ['cluster/scaling.test.ts'] }],
    limitMinutes: 10,
  },
  {
    number: 8,
    name: 'deploy',
    target: 'manifests and compose file pass their schemas; the container recipe serves a request',
    steps: [
      { script: 'deploy:check', args: [] },
      { script: 'package:check', args: ['container'] },
    ],
    limitMinutes: 20,
  },
  {
    number: 9,
    name: 'litellm',
    target:
      "a node answers >= 20 times the requests of LiteLLM's proxy on the same PostgreSQL and Valkey, each with half a core",
    steps: [{ tests: ['cluster/litellm.test.ts'] }],
    limitMinutes: 20,
  },
]
