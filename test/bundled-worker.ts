/** The storage's thread as one file: a test that opens a database waits for it. */
import { fileURLToPath, pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'
import 'vitest/config'

const projectDir = fileURLToPath(new URL('..', import.meta.url))
const outDir = join(projectDir, 'node_modules', '.cache', 'storage-worker')
const sourceName = `'./storage-worker.ts'`
const isStart = (id: string) => id.endsWith('/storage/sqlite/database-tasks.ts')

/**
 * Bundles the worker as in the app. Most tests open a database, and each starts the thread: bundled, in half the time
 * of its 180 source files.
 */
export function bundledStorageWorker(): Plugin {
  return {
    name: 'bundled-storage-worker',
    // Before TypeScript is removed, with the source's own quotes.
    enforce: 'pre',
    // Vitest's cache on disk knows the module's own text only: the thread's sources would change unnoticed.
    configureVitest({ defineCacheKeyGenerator }) {
      defineCacheKeyGenerator(({ id }) => (isStart(id) ? false : null))
    },
    async transform(code, id) {
      if (!isStart(id)) return null
      if (!code.includes(sourceName)) throw new Error(`${id} does not name ${sourceName}`)
      const { file, sources } = await bundle(id.replace('database-tasks', 'storage-worker'))
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
