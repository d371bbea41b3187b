/** A key that is revoked on one node is refused by all of them, and its streams end. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { quantile } from '../bench/quantile.ts'
import { row } from '../bench/row.ts'
import { startFakeProvider } from '../test/fake-provider.ts'
import { hello } from '../test/test-service.ts'
import { amount, expectMeasured, tortureTimeoutMs } from '../test/torture/amounts.ts'
import { startCluster } from './bed.ts'
import { createRouter, newClient } from './router.ts'

const revocations = amount({ quick: 3, full: 100 })

test(
  'every node refuses a revoked key soon, and cuts its streams',
  { timeout: tortureTimeoutMs },
  async ({ onTestFinished }) => {
    const endless = { text: 'x'.repeat(1_000), chunks: 1_000, chunkDelayMs: 100 }
    const fake = await startFakeProvider({ tls: false, models: { fast: {}, endless } })
    onTestFinished(() => fake.close())
    const cluster = await startCluster({ providers: { mine: fake.url } })
    const router = await createRouter(cluster, ['mine:fast'])
    const streaming = await createRouter(cluster, ['mine:endless'])
    const ask = newClient()
    const refusedMs: number[] = []
    const cutMs: number[] = []
    for (let count = 0; count < revocations; count += 1) {
      const [key] = await cluster.command('key', 'create', '--name', 'short', '--routers', 'all')
      const apiKey = String(key?.['key'])
      const ports = cluster.nodes.map(({ port }) => port)
      // Every node knows the key before it is revoked.
      for (const port of ports)
        await expect
          .poll(
            async () => (await ask({ port, router: { ...router, apiKey }, body: hello })).status,
          )
          .toBe(200)
      const streams = ports.map(async (port) => {
        await ask({
          port,
          router: { ...streaming, apiKey },
          body: { ...hello, stream: true },
        })
        return performance.now()
      })
      await pause(200)
      await cluster.command('key', 'revoke', String(key?.['id']))
      const revokedAt = performance.now()
      const refused = ports.map(async (port) => {
        while ((await ask({ port, router: { ...router, apiKey }, body: hello })).status !== 401)
          await pause(10)
        return performance.now()
      })
      refusedMs.push(...(await Promise.all(refused)).map((at) => Math.max(0, at - revokedAt)))
      cutMs.push(...(await Promise.all(streams)).map((at) => Math.max(0, at - revokedAt)))
    }
    expectMeasured([
      row('revocations', [revocations, ''], { target: { atLeast: revocations } }),
      row('refused by every node after, p50', [quantile(refusedMs, 0.5), 'ms']),
      row('refused by every node after, p99', [quantile(refusedMs, 0.99), 'ms'], {
        target: { atMost: 1_000 },
      }),
      row('streams cut after, p99', [quantile(cutMs, 0.99), 'ms'], { target: { atMost: 1_500 } }),
    ])
  },
)
