/** Nodes are replaced one after another by a version with another schema, without a failed request. */
import { mkdtemp, rm, symlink, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { row } from '../bench/row.ts'
import { startFakeProvider } from '../test/fake-provider.ts'
import { hello } from '../test/test-service.ts'
import { amount, expectMeasured, tortureTimeoutMs } from '../test/torture/amounts.ts'
import { builtProgram, startCluster, type Cluster } from './bed.ts'
import { endOf, isAcknowledged, startLoad, type Load } from './load.ts'
import { buildNextVersion, nextSchema } from './next-version.ts'
import { createRouter } from './router.ts'

const connections = amount({ quick: 8, full: 24 })
/** The whole answers to wait for before, between and after the replacements. */
const answersBetween = amount({ quick: 100, full: 500 })

test(
  'a rolling upgrade over a migration fails no request',
  { timeout: tortureTimeoutMs },
  async ({ onTestFinished }) => {
    const next = await buildNextVersion()
    onTestFinished(() => next.remove())
    const program = await switchableProgram(onTestFinished)
    // Answers take longer than a node needs to begin draining, so that requests are in progress then.
    const slow = { text: 'word '.repeat(20), chunks: 20, chunkDelayMs: 25 }
    const fake = await startFakeProvider({ tls: false, models: { slow } })
    onTestFinished(() => fake.close())
    const cluster = await startCluster({
      providers: { mine: fake.url },
      serveOptions: ['--drain-delay', '1s'],
      program: program.file,
    })
    const router = await createRouter(cluster, ['mine:slow'])
    const { port } = cluster.haProxy
    const body = (nth: number) => (nth % 2 === 0 ? hello : { ...hello, stream: true })
    const load = startLoad(connections, (nth) => ({ port, router, body: body(nth) }))
    await answered(load)
    const before = await schemaOf(cluster)
    await program.switchTo(next.program)
    for (const node of cluster.nodes) {
      await node.end('SIGTERM')
      await node.start()
      await answered(load)
    }
    await load.stop()
    const failed = load.answers.filter((answer) => !isAcknowledged(answer))
    expect(before).toBeLessThan(nextSchema)
    expect(await schemaOf(cluster)).toBe(nextSchema)
    expectMeasured(
      [
        row('nodes replaced', [cluster.nodes.length, '']),
        row('whole answers', [load.wholeCount(), ''], { target: { atLeast: 4 * answersBetween } }),
        row('failed requests', [failed.length, ''], { target: { atMost: 0 } }),
      ],
      [...new Set(failed.map(endOf))],
    )
  },
)

/** A path whose program can be exchanged while nodes run. */
async function switchableProgram(onTestFinished: (end: () => Promise<void>) => void) {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-version-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'headless.js')
  await symlink(builtProgram, file)
  return {
    file,
    async switchTo(other: string) {
      await unlink(file)
      await symlink(other, file)
    },
  }
}

async function answered(load: Load): Promise<void> {
  const wanted = load.wholeCount() + answersBetween
  await expect.poll(() => load.wholeCount(), { timeout: 120_000 }).toBeGreaterThanOrEqual(wanted)
}

async function schemaOf({ query }: Cluster): Promise<number> {
  const [newest] = await query<{ version: string }>(
    'SELECT max(version) AS version FROM schema_versions',
  )
  return Number(newest?.version)
}
