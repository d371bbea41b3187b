/** The service's threads, each as one file: a test that opens a database or reads a bill waits for one. */
import { fileURLToPath, pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'
import 'vitest/config'

const projectDir = fileURLToPath(new URL('..', import.meta.url))
const outDir = join(projectDir, 'node_modules', '.cache', 'threads')

/** The files that start a thread, and the thread's file beside each. */
const threads: Readonly<Record<string, string>> = {
  'storage/sqlite/database-tasks.ts': 'storage-worker.ts',
  'chat-imports/read-in-worker.ts': 'import-worker.ts',
  'reconcile/reconcile.ts': 'reconcile-worker.ts',
  'tuning/checks/sandbox.ts': 'sandbox-worker.ts',
}

function threadOf(id: string): string | undefined {
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
      const sourceName = `'./${thread}'`
      if (!code.includes(sourceName)) throw new Error(`${id} does not name ${sourceName}`)
      const { file, sources } = await bundle(join(id, '..', thread))
      // In watch mode, a change of the thread bundles it again.
      for (const source of sources) this.addWatchFile(source)
      return { code: code.replace(sourceName, `'${pathToFileURL(file).href}'`), map: null }
    },
  }
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
