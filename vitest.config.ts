import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { bundledStorageWorker } from './test/bundled-worker.ts'

/** The contract's suite over HTTP: it runs with the fast lane and, as a separate project, without it. */
const contractSuite = [
  'answers',
  'conversation-identity',
  'cors',
  'concurrency-limits',
  'counting',
  'http-body',
  'http-contract',
  'http-key',
  'idempotency',
  'keep-alive',
  'openai-sdk',
  'order-of-checks',
  'parameters',
  'preview',
  'tool-calls',
].map((name) => `test/${name}.test.ts`)

/** Checks that take minutes, need root or programs of the system; `npm run torture` sets the variable. */
const tortureOnly = process.env['MODELPORT_TORTURE_SHARE'] ? ['torture/*.test.ts'] : []

export default defineConfig({
  plugins: [bundledStorageWorker()],
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: [
            'src/**/*.test.ts',
            'src/**/*.test.tsx',
            'test/**/*.test.ts',
            'sdk/test/**/*.test.ts',
            ...tortureOnly,
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'without the fast lane',
          include: contractSuite,
          env: { MODELPORT_TEST_FAST_LANE: 'off' },
        },
      },
    ],
    testTimeout: 20_000,
    // A poll ends as soon as it succeeds, so a busy machine gets time.
    expect: { poll: { timeout: 15_000 } },
    // Most tests wait for sockets, disks and processes: half of the time of two workers on two cores was idle.
    maxWorkers: 3,
    // Processes and threads that tests start find compiled code here, and start in half the time.
    env: {
      NODE_COMPILE_CACHE: fileURLToPath(
        new URL('node_modules/.cache/node-compile', import.meta.url),
      ),
    },
  },
})
