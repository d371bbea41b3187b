/** A daily limit is exact over all nodes, also when one is killed again and again. */
import { setTimeout as pause } from 'node:timers/promises'
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
const kills = amount({ quick: 2, full: 10 })
/** More than the time after which a node returns what it does not use. */
const idleMs = 7_000

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

test(
  'a node that is killed again and again uses up no requests of the daily limit',
  { timeout: tortureTimeoutMs },
  async ({ onTestFinished }) => {
    const fake = await startFakeProvider({ tls: false, models: { fast: {} } })
    onTestFinished(() => fake.close())
    const cluster = await startCluster({ providers: { mine: fake.url } })
    const ask = newClient()
    const [killed, other] = cluster.nodes
    if (killed === undefined || other === undefined) throw new Error('no nodes')
    const ofDay = 2_000
    const router = await createRouter(cluster, ['mine:fast'], ['--daily-limit', String(ofDay)])
    const isServed = async ({ port }: { port: number }) => {
      const { status } = await ask({ port, router, body: hello })
      statuses.add(status)
      return status === 200
    }
    const statuses = new Set<number>()
    let served = 0
    for (let kill = 0; kill < kills; kill += 1) {
      for (let request = 0; request < 5; request += 1) served += Number(await isServed(killed))
      await killed.end('SIGKILL')
      await killed.start()
    }
    for (const node of [killed, other]) {
      while (await isServed(node)) served += 1
      await pause(idleMs)
    }
    expect([...statuses]).toEqual([200, 429])
    expectMeasured([
      row('kills of a node that had a lease', [kills, ''], { target: { atLeast: kills } }),
      row('answered of a limit of 2,000', [served, ''], {
        target: { atLeast: ofDay * 0.99 },
      }),
      row('answered beyond it', [Math.max(0, served - ofDay), ''], { target: { atMost: 0 } }),
    ])
  },
)
