import { statfsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { bundledThreads } from './test/bundled-threads.ts'

/** What the two ways in do themselves: it runs with the fast lane and, as a separate project, without it. */
const contractSuite = ['test/contract/*.test.ts']
/** What a caller could spend beyond a budget, or would not be recorded: on both ways in as well. */
const moneySuite = [
  'test/agents/agents-failures.test.ts',
  'test/attempts/unanswered-costs.test.ts',
  'test/limits/later-billed.test.ts',
  'test/routing/adjusted-names.test.ts',
]

/**
 * They start databases, models or compilers, import the command line, which changes the environment, set the time zone
 * before anything is formatted, or watch the whole process.
 */
const ofOwnProcess = [
  'src/renderer/src/pages/activity/{drawn-marks,grouping,session-details}',
  'src/renderer/src/pages/models/health-days',
  'src/service/doctor/shared-state',
  'src/service/providers/http/connection-pool-waiting',
  'src/service/storage/look-again',
  'src/service/storage/sqlite/journal-watch',
  'test/agents/agent-examples',
  'test/contract/refusals',
  'test/http/clients-that-leave',
  'test/launcher/system-packages',
  'test/rules/{adding-*,boundaries,clients}',
  'test/storage/{nodes-on-postgres,strict-durability}',
  'test/tuning/tuning-local',
].map((name) => `${name}.test.{ts,tsx}`)

/**
 * Files that share a process with others: it imports the service once, not once for each file, which takes half of
 * their processor time. What they test gets time, chance and environment as arguments and keeps no state in modules.
 * The window's stores, and tests of sockets, timers, memory and processes or with other modules in place, get a process for each
 * file.
 */
const ofSharedProcess = [
  'src/{main,shared}/**/*.test.ts',
  'src/renderer/src/{charts,components,decision,markdown,usage}/**/*.test.{ts,tsx}',
  'src/renderer/src/pages/{activity,agents,chat,connect,home,models,routers,settings,tune}/**/*.test.{ts,tsx}',
  'src/service/*.test.ts',
  'src/service/{agents,alerts,catalog,chat,connect,dashboard,data-folder,doctor,families,mcp}/**/*.test.ts',
  'src/service/{providers,reconcile,routing,shared-state,storage/!(postgres),telemetry}/**/*.test.ts',
  'src/service/{trust,tuning,upkeep,upstreams,window}/**/*.test.ts',
  'src/service/http/{checks,fast-lane,refusals}/**/*.test.ts',
  'src/service/local/{library/*,check-head,file-facts,local-settings,memory,model-file,read-request,usable-cores}.test.ts',
  'src/service/{http,provider-types,storage}/*.test.ts',
  'test/*.test.ts',
  'test/{agents,answers,attempts,chat-imports,connect,contract,embeddings,endpoints,figures,http,limits}/**/*.test.ts',
  'test/{launcher,local-servers,management,mcp,providers,reconcile,routing,rules,sessions,starter-set,storage,tuning}/**/*.test.ts',
  'test/upstreams/**/!(bedrock-profile).test.ts',
  'training/**/*.test.ts',
]

/** The command line's tests share one too, but not with others: importing it changes the environment. */
const ofCommandLine = ['src/service/cli/**/*.test.ts']

/** They start one PostgreSQL server for each file. */
const ofCommandLineAndPostgres = ['src/service/cli/{database-option,migrate-to}.test.ts']

/** Checks that take minutes, need root or programs of the system; `npm run torture` and `cluster` set the variable. */
const tortureOnly = process.env['MODELPORT_TORTURE_SHARE']
  ? ['torture/*.test.ts', 'cluster/*.test.ts']
  : []

/**
 * Linux's memory file system, where it has room for the data folders of tests: they wait for the disk otherwise, and take
 * a quarter longer. The full checks of `npm run torture` use the disk.
 */
function temporaryFolder(): Record<string, string> {
  const folder = '/dev/shm'
  try {
    const { bavail, bsize } = statfsSync(folder)
    const isRoomy = bavail * bsize > 2 * 2 ** 30
    return isRoomy && tortureOnly.length === 0 ? { TMPDIR: folder } : {}
  } catch {
    return {}
  }
}

export default defineConfig({
  plugins: [bundledThreads()],
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
            'training/**/*.test.ts',
            'sdk/test/**/*.test.ts',
            ...tortureOnly,
          ],
          exclude: [...configDefaults.exclude, ...ofSharedProcess, ...ofCommandLine],
        },
      },
      {
        extends: true,
        test: {
          name: 'in a shared process',
          include: ofSharedProcess,
          exclude: [...configDefaults.exclude, ...ofOwnProcess],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'of the command line',
          include: ofCommandLine,
          exclude: [...configDefaults.exclude, ...ofCommandLineAndPostgres],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'of its own process',
          include: [...ofOwnProcess, ...ofCommandLineAndPostgres],
        },
      },
      {
        extends: true,
        test: {
          name: 'without the fast lane',
          include: [...contractSuite, ...moneySuite],
          isolate: false,
          env: { MODELPORT_TEST_FAST_LANE: 'off' },
        },
      },
    ],
    // They find what hangs. Few tests take 15 s on a quiet machine; on a busy one, the longest took 40 s.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // A poll ends as soon as it succeeds, so a busy machine gets time.
    expect: { poll: { timeout: 60_000 } },
    // Most tests wait for sockets, disks and processes: half of the time of two workers on two cores was idle.
    maxWorkers: 3,
    // Processes and threads that tests start find compiled code here, and start in half the time.
    env: {
      ...temporaryFolder(),
      NODE_COMPILE_CACHE: fileURLToPath(
        new URL('node_modules/.cache/node-compile', import.meta.url),
      ),
    },
  },
})
