/** The 26 checks of docs/reliability.md, in its order. */
import type { Check } from './check.ts'

const upstreamTests = [
  'anthropic',
  'azure',
  'bedrock',
  'google',
  'google-vertex',
  'ollama',
  'openai-chat',
  'openai-responses',
].map((name) => `test/upstreams/${name}.test.ts`)

/** Random cases of which `npm test` runs some. */
const randomTests = [
  'src/service/agents/engine-limits.test.ts',
  'src/service/tuning/run-prompts.test.ts',
  'src/service/tuning/shadow/shadow-sampler.test.ts',
  'test/agents/agents-random.test.ts',
  'test/chat-imports/import-chats.test.ts',
  'test/endpoints/random-requests.test.ts',
  'test/mcp/consents.test.ts',
  'test/sessions/random-changes.test.ts',
  'test/sessions/random-sessions.test.ts',
]

export const checks: readonly Check[] = [
  {
    number: 1,
    name: 'attack-pages',
    target:
      '12 attacks from a web page, also after DNS rebinding: 0 upstream calls, 0 readable answers',
    steps: [{ tests: ['torture/attack-pages.test.ts'] }, { tests: ['test/contract/cors.test.ts'] }],
    needs: ['chromium'],
    limitMinutes: 10,
  },
  {
    number: 2,
    name: 'kill',
    target:
      '200 kills under load: 0 answered requests without a row, 0 damaged databases, start <= 2 s',
    steps: [
      { tests: ['test/storage/strict-durability.test.ts'], title: 'killed again and again' },
      { tests: ['test/storage/strict-durability.test.ts'], title: 'rows of the last moment' },
    ],
    limitMinutes: 20,
  },
  {
    number: 3,
    name: 'quota',
    target:
      'of 1,000 simultaneous requests exactly 100 served, 20 times; per day; 0 more after the clock goes back',
    steps: [{ tests: ['test/limits/daily-limit.test.ts'] }],
    limitMinutes: 10,
  },
  {
    number: 4,
    name: 'canaries',
    target: '1,000 requests with marked keys and prompts: 0 of them in any file or output',
    steps: [{ tests: ['torture/canaries.test.ts'] }, { spec: 'canary' }],
    limitMinutes: 10,
  },
  {
    number: 5,
    name: 'disconnect',
    target:
      '1,000 clients that leave: upstream closed within 50 ms (p99), 1 rightly priced row each',
    steps: [{ bench: 'abort' }],
    limitMinutes: 10,
  },
  {
    number: 6,
    name: 'fallback',
    target: 'a fault at each event of a stream, 1,000 in all: 0 repeated or mixed deltas',
    steps: [{ tests: ['test/torture/faults-at-every-event.test.ts'] }],
    limitMinutes: 10,
  },
  {
    number: 7,
    name: 'hostile-outputs',
    target:
      '>= 200 hostile outputs in Electron: 0 network requests, navigations, windows or openings',
    steps: [{ spec: 'hostile-outputs' }],
    limitMinutes: 20,
  },
  {
    number: 8,
    name: 'fuzz',
    target:
      '20,000 broken inputs on each way in: 0 crashes, 5xx or hangs over 1 s; every error in its form',
    steps: [
      { tests: ['test/torture/random-requests.test.ts'] },
      { tests: ['test/torture/random-files-and-events.test.ts'] },
      { tests: [...upstreamTests, ...randomTests], title: 'random' },
    ],
    limitMinutes: 60,
  },
  {
    number: 9,
    name: 'tls',
    target: 'plain HTTP gets a 426 and 0 bytes are forwarded; 3 of 3 clients refuse a foreign name',
    steps: [
      {
        tests: ['test/contract/http-contract.test.ts', 'src/service/http/sockets/listener.test.ts'],
        title: '426',
      },
      { tests: ['src/service/http/sockets/tls.test.ts'], title: 'openssl|Node|Python' },
      { tests: ['torture/foreign-names.test.ts'] },
    ],
    needs: ['openssl', 'chromium', 'certutil'],
    limitMinutes: 10,
  },
  {
    number: 10,
    name: 'upstream-faults',
    target: '>= 30 faults of an upstream have their documented result; time limits within 50 ms',
    steps: [
      { tests: ['test/upstreams/openai-chat.test.ts'], title: 'of a server that' },
      { tests: ['test/attempts/fallback.test.ts', 'test/providers/upstream-certificates.test.ts'] },
      { tests: ['test/torture/time-limit-accuracy.test.ts'] },
    ],
    limitMinutes: 15,
  },
  {
    number: 11,
    name: 'addresses',
    target:
      '>= 120 addresses and names that change: 0 forbidden connections, 0 requests that choose an upstream',
    steps: [
      {
        tests: [
          'src/service/providers/address-guard.test.ts',
          'test/providers/own-address.test.ts',
        ],
      },
      { tests: ['test/contract/answers.test.ts'], title: 'sets the upstream' },
    ],
    limitMinutes: 5,
  },
  {
    number: 12,
    name: 'disk',
    target: 'full disk and failing fsync: 0 answered requests without a row, recovery <= 5 s',
    steps: [{ tests: ['test/storage/full-disk.test.ts', 'torture/failing-disk.test.ts'] }],
    needs: ['strace'],
    limitMinutes: 10,
  },
  {
    number: 13,
    name: 'slow-clients',
    target:
      '1,000 slow clients closed within 11.5 s; another client is answered within 250 ms (p99)',
    steps: [{ tests: ['torture/slow-clients.test.ts'] }],
    limitMinutes: 10,
  },
  {
    number: 14,
    name: 'streams',
    target: '9,000 simultaneous streams: 0 dropped, <= 80 KB each, <= 50 ms added (p99)',
    steps: [{ bench: 'many-streams' }],
    limitMinutes: 10,
  },
  {
    number: 15,
    name: 'lock',
    target: 'database locked for 3 s by another process: stall <= 50 ms, 0 failed answers',
    steps: [{ bench: 'lock' }],
    limitMinutes: 10,
  },
  {
    number: 16,
    name: 'slices',
    target: 'a stream of > 4 KiB cut at every byte: the same events',
    steps: [
      { tests: ['src/service/providers/sse.test.ts'] },
      { tests: upstreamTests, title: 'wherever the bytes' },
    ],
    limitMinutes: 15,
  },
  {
    number: 17,
    name: 'fuses',
    target:
      'every fuse of the packaged app as configured; inspector, plain Node.js and NODE_OPTIONS without effect',
    steps: [{ script: 'package:check', args: ['unpacked'] }],
    limitMinutes: 15,
  },
  {
    number: 18,
    name: 'keyring',
    target:
      'keyring unlocked, locked, absent, hung: 0 keys lost, 0 in plain text, <= 5 s to a clear state',
    steps: [
      { tests: ['src/service/secrets/secrets.test.ts', 'src/service/secrets/keychain.test.ts'] },
      { tests: ['src/service/secrets/vault.test.ts'] },
    ],
    needs: ['dbus-run-session', 'gnome-keyring-daemon'],
    limitMinutes: 10,
  },
  {
    number: 19,
    name: 'keys',
    target:
      'revoked keys: next request 401, streams end <= 1 s; refusals of 200,000 keys take equal time (Welch p > 0.01)',
    steps: [
      {
        tests: ['test/contract/http-key.test.ts', 'test/http/clients-that-leave.test.ts'],
        title: 'revoked',
      },
      { tests: ['test/torture/key-timing.test.ts'] },
    ],
    limitMinutes: 10,
  },
  {
    number: 20,
    name: 'soak',
    target:
      '10 minutes at 50 requests/s with faults: heap <= 1 MiB per 10,000 requests, handles +-5, WAL <= 16 MiB',
    steps: [{ bench: 'long-soak' }],
    limitMinutes: 20,
  },
  {
    number: 21,
    name: 'refusals',
    target:
      '1,000,000 refusals from 10,000 addresses with 100 keys: counts exact, memory +5 MiB, database +1 MiB, answers <= 1.5 times',
    steps: [{ tests: ['test/torture/refusals.test.ts'] }],
    limitMinutes: 30,
  },
  {
    number: 22,
    name: 'money',
    target:
      '200 mixes of doors, routers, faults and callers that leave, 60 requests at once: >= 99.5 % of what vendors bill and can be known is recorded, <= 1 cent beyond a budget, each difference has a name',
    steps: [{ tests: ['test/torture/money.test.ts'] }],
    limitMinutes: 10,
  },
  {
    number: 23,
    name: 'window',
    target:
      '1,000 random states (providers down, keys rejected, budgets used, disk full, port taken, clock set): within 1 s Home and the banners say what is true, and nothing else; every page in 5 sizes and 4 looks, and every place full, empty, loading and failed: 0 violations of axe, nothing cut or covered',
    steps: [{ tests: ['test/torture/window.test.ts'] }, { spec: 'pages' }, { spec: 'states' }],
    limitMinutes: 30,
  },
  {
    number: 24,
    name: 'answered',
    target:
      '20 upstreams that substitute, mix, downgrade at night, strip reasoning or misreport tokens: >= 19 found within 200 requests; 0 findings in 100,000 honest answers',
    steps: [{ tests: ['test/torture/answered.test.ts'] }],
    limitMinutes: 20,
  },
  {
    number: 25,
    name: 'connections',
    target:
      'every packet of a day of the service and of the desktop app with every default: 0 to another computer, 0 names asked; each switch on: only its listed addresses; off: 0',
    steps: [
      { tests: ['torture/connections.test.ts'] },
      { tests: ['test/rules/connections.test.ts'] },
    ],
    needs: ['ip', 'unshare', 'python3'],
    limitMinutes: 30,
  },
  {
    number: 26,
    name: 'chat',
    target:
      'chat with 100,000 messages: search, long threads, an import of 46 MB, streams, files and 10 servers at rest within the bars of docs/chat.md',
    steps: [
      { spec: 'chat-bars' },
      { tests: ['test/torture/chat-parts.test.ts'] },
      { tests: ['test/mcp/crash.test.ts'] },
    ],
    limitMinutes: 30,
  },
]
