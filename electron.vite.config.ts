import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { oneByteSources } from './scripts/one-byte-sources.ts'

// Everything except the native packages is bundled: the fallback Electron runs Node 20.18, and an app without its own
// node_modules starts faster and is smaller.
const native = ['better-sqlite3', 'keytar', 'node-llama-cpp']

// The oldest runtime the app must start on, the fallback Electron. By default, the build targets the Electron in
// node_modules.
const oldest = { node: 'node20.18', chrome: 'chrome130' }

export default defineConfig({
  main: {
    plugins: [oneByteSources()],
    build: {
      target: oldest.node,
      externalizeDeps: { exclude: [] },
      rollupOptions: {
        external: native,
        // Beside the entries: code finds the files of threads and processes next to itself.
        output: { chunkFileNames: '[name]-[hash].js' },
        input: {
          index: 'src/main/entry.ts',
          headless: 'src/service/headless.ts',
          'storage-worker': 'src/service/storage/sqlite/storage-worker.ts',
          'model-process': 'src/service/local/model-process.ts',
          'file-worker': 'src/service/window/attachments/file-worker.ts',
          'import-worker': 'src/service/chat-imports/import-worker.ts',
          'reconcile-worker': 'src/service/reconcile/reconcile-worker.ts',
          'sandbox-worker': 'src/service/tuning/checks/sandbox-worker.ts',
        },
      },
    },
  },
  preload: {
    build: {
      target: oldest.node,
      externalizeDeps: false,
      // A sandboxed renderer cannot load an ES module preload.
      rollupOptions: {
        input: { index: 'src/preload/index.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    build: {
      target: oldest.chrome,
      minify: true,
      rollupOptions: {
        output: {
          codeSplitting: {
            groups: [
              // One file for the first frame; pages.tsx loads the others later.
              { name: 'start', tags: ['$initial'], priority: 2 },
              // Without it, each icon used by several pages would be a file.
              { name: 'shared', minShareCount: 3, priority: 1 },
            ],
          },
        },
      },
    },
    plugins: [react(), tailwindcss(), oneByteSources()],
    // Each library of a worker is loaded when it is needed.
    worker: { format: 'es' },
  },
})
