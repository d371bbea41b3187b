import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'test/**/*.test.ts'],
    testTimeout: 20_000,
    // Most tests wait for sockets, disks and processes; left alone vitest takes one worker on two cores.
    maxWorkers: 2,
    // The command line's tests start it some two hundred times: compiled once, each takes half as long.
    env: {
      NODE_COMPILE_CACHE: fileURLToPath(
        new URL('node_modules/.cache/node-compile', import.meta.url),
      ),
    },
  },
})
