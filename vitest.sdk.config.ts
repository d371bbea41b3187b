/** `npm run sdk`: the SDKs packed, installed into empty projects and used there. It needs the package registries. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['sdk/proof/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
  },
})
