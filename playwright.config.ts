import { defineConfig } from '@playwright/test'

const isContinuousIntegration = Boolean(process.env['CI'])

export default defineConfig({
  testDir: 'e2e',
  // It tests nothing: it writes the pictures of the documentation.
  testIgnore: process.env['MODELPORT_UPDATE_PICTURES'] === '1' ? [] : ['screenshots.spec.ts'],
  outputDir: 'test-results',
  // They find what hangs. A poll ends as soon as it succeeds, so a busy machine gets time.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  // Each test starts its own Electron; two at once only slow each other down on two cores.
  workers: 1,
  fullyParallel: false,
  forbidOnly: isContinuousIntegration,
  retries: 0,
  reporter: [
    ['list'],
    ['json', { outputFile: process.env['MODELPORT_E2E_REPORT'] ?? 'test-results/report.json' }],
  ],
})
