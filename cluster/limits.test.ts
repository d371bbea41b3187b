/** A daily limit is exact over all nodes. */
import { expect, test } from 'vitest'
import { row } from '../bench/row.ts'
import { startFakeProvider } from '../test/fake-provider.ts'
import { amount, expectMeasured, tortureTimeoutMs } from '../test/torture/amounts.ts'
import { hello } from '../test/test-service.ts'
import { startCluster } from './bed.ts'
import { createRouter, newClient } from './router.ts'

const runs = amount({ quick: 1, full: 20 })
const requests = 1_000
const limit = 100

test(
  'of simultaneous requests over three nodes, exactly the daily limit is answered',
  { timeout: tortureTimeoutMs },
  async ({ onTestFinished }) => {
    const fake = await startFakeProvider({ tls: false, models: { fast: {} } })
    onTestFinished(() => fake.close())
    const cluster = await startCluster({ providers: { mine: fake.url } })
    const ask = newClient()
    const answered: number[] = []
    const others = new Set<number>()
    for (let run = 0; run < runs; run += 1) {
      const router = await createRouter(cluster, ['mine:fast'], ['--daily-limit', String(limit)])
      const answers = await Promise.all(
        Array.from({ length: requests }, (_, request) =>
          ask({ port: cluster.nodes[request % 3]?.port ?? 0, router, body: hello }),
        ),
      )
      answered.push(answers.filter(({ status }) => status === 200).length)
      for (const { status } of answers) if (status !== 200) others.add(status)
    }
    expect([...others]).toEqual([429])
    expectMeasured([
      row('runs', [answered.length, ''], { target: { atLeast: runs } }),
      row('fewest answered', [Math.min(...answered), ''], { target: { atLeast: limit } }),
      row('most answered', [Math.max(...answered), ''], { target: { atMost: limit } }),
    ])
  },
)
