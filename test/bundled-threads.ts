/**
 * The service's threads, each as one file: a test that opens a database or reads a bill waits for one. The storage's
 * serves one database after another.
 */
import { fileURLToPath, pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'
import 'vitest/config'

const projectDir = fileURLToPath(new URL('..', import.meta.url))
const workerImport = "import { Worker } from 'node:worker_threads'"
const outDir = join(projectDir, 'node_modules', '.cache', 'threads')

interface Thread {
  /** The thread's file, beside the file that starts it. */
  file: string
  /** What the tests run instead of it, and what starts that instead of a `Worker`; both in this folder. */
  reused?: { file: string; startedBy: string; name: string }
}

/** By the files that start a thread. */
const threads: Readonly<Record<string, Thread>> = {
  'storage/sqlite/database-tasks.ts': {
    file: 'storage-worker.ts',
    reused: {
      file: 'storage-threads/thread.ts',
      startedBy: 'storage-threads/reused-thread.ts',
      name: 'ReusedThread',
    },
  },
  'chat-imports/read-in-worker.ts': { file: 'import-worker.ts' },
  'reconcile/reconcile.ts': { file: 'reconcile-worker.ts' },
  'tuning/checks/sandbox.ts': { file: 'sandbox-worker.ts' },
}

function threadOf(id: string): Thread | undefined {
  return threads[id.split('/src/service/')[1] ?? '']
}

/**
 * Bundles the threads as in the app. Most tests open a database, and each starts its thread: bundled, in half the time
 * of its 180 source files.
 */
export function bundledThreads(): Plugin {
  return {
    name: 'bundled-threads',
    // Before TypeScript is removed, with the source's own quotes.
    enforce: 'pre',
    // Vitest's cache on disk knows the module's own text only: the thread's sources would change unnoticed.
    configureVitest({ defineCacheKeyGenerator }) {
      defineCacheKeyGenerator(({ id }) => (threadOf(id) ? false : null))
    },
    async transform(code, id) {
      const thread = threadOf(id)
      if (thread === undefined) return null
      const { reused } = thread
      const entry = reused ? join(import.meta.dirname, reused.file) : join(id, '..', thread.file)
      const { file, sources } = await bundle(entry)
      // In watch mode, a change of the thread bundles it again.
      for (const source of sources) this.addWatchFile(source)
      const replaced: [string, string][] = [[`'./${thread.file}'`, `'${pathToFileURL(file).href}'`]]
      if (reused) {
        const startedBy = join(import.meta.dirname, reused.startedBy)
        replaced.push([workerImport, `import { ${reused.name} as Worker } from '${startedBy}'`])
      }
      return { code: replaceAll(code, replaced, id), map: null }
    },
  }
}

function replaceAll(code: string, replaced: readonly [string, string][], id: string): string {
  let result = code
  for (const [from, to] of replaced) {
    if (!code.includes(from)) throw new Error(`${id} does not contain ${from}`)
    result = result.replace(from, to)
  }
  return result
}

async function bundle(entry: string): Promise<{ file: string; sources: readonly string[] }> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: entry,
      outDir,
      emptyOutDir: false,
      rollupOptions: {
        external: ['better-sqlite3'],
        // Named after the content: a test run beside this one may use another.
        output: { entryFileNames: '[name]-[hash].js' },
      },
    },
  })
  const [chunk] = 'output' in built ? built.output : []
  if (chunk?.type !== 'chunk') throw new Error(`${entry} gave no bundle`)
  const sources = chunk.moduleIds.filter((id) => !id.includes('node_modules'))
  return { file: join(outDir, chunk.fileName), sources }
}
