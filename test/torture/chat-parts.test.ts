/** The bars of docs/chat.md that need no window: hostile archives, and servers at rest. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { row } from '../../bench/row.ts'
import { processorShare } from '../../bench/ui/processes.ts'
import { importChats } from '../../src/service/chat-imports/import-chats.ts'
import { openStorage } from '../../src/service/storage/sqlite/open-storage.ts'
import { addApproved, openServers } from '../mcp/open-servers.ts'
import { temporaryFolder } from '../storage/temporary-folder.ts'
import { writeZip, type ZipEntry } from '../zip-archive.ts'
import { amount, expectMeasured, isTorture, tortureTimeoutMs } from './amounts.ts'

const megabytes = amount({ quick: 4, full: 400 })
const spaces = Buffer.alloc(megabytes * 1_000_000, ' ')
const list = { name: 'conversations.json', bytes: Buffer.from('[]') }

const hostile: readonly (readonly [string, readonly ZipEntry[]])[] = [
  ['packed far too well', [{ name: 'conversations.json', bytes: spaces }]],
  ['larger than it says', [{ name: 'conversations.json', bytes: spaces, claimedBytes: 1_000 }]],
  ['a name that leads out', [list, { name: '../../out.json', bytes: Buffer.from('out') }]],
  ['an absolute name', [list, { name: '/tmp/out.json', bytes: Buffer.from('out') }]],
  ['a name with a backslash', [list, { name: '..\\..\\out.json', bytes: Buffer.from('out') }]],
  [
    'more files than an export has',
    Array.from({ length: 20_001 }, (_, at) => ({ name: `file-${at}.dat`, bytes: Buffer.of(1) })),
  ],
  ['brackets without end', [{ name: 'conversations.json', bytes: Buffer.alloc(1_000_000, '[') }]],
]

test(
  'hostile archives are refused with little memory, and nothing is written outside',
  { timeout: tortureTimeoutMs },
  async () => {
    const home = temporaryFolder()
    const folder = temporaryFolder()
    const storage = await openStorage({ dataDir: home })
    const run = (path: string) =>
      importChats(path, { store: storage.conversations, now: () => 5, isDryRun: false })
    const paths = hostile.map(([name, entries]) => {
      const path = join(folder, `${name}.zip`)
      writeZip(path, entries)
      return path
    })
    // The first reading loads the readers and starts a thread, which are there afterwards.
    const first = join(home, 'empty.zip')
    writeZip(first, [list])
    await run(first)
    const before = process.memoryUsage.rss()
    let peak = before
    const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5)
    const accepted: string[] = []
    for (const path of paths) {
      const { messages, refused, warnings } = await run(path)
      if (messages > 0 || (refused === null && warnings.length === 0)) accepted.push(path)
    }
    clearInterval(timer)

    expect(accepted).toEqual([])
    expect(await storage.conversations.list()).toEqual([])
    expect(readdirSync(folder).toSorted()).toEqual(
      hostile.map(([name]) => `${name}.zip`).toSorted(),
    )
    await storage.close()
    expectMeasured([
      row('hostile archives', [paths.length, ''], { target: { atLeast: hostile.length } }),
      row('memory of hostile archives, more', [(peak - before) / 2 ** 20, 'MiB'], {
        target: { atMost: isTorture ? 50 : 200 },
      }),
    ])
  },
)

test(
  'ten servers start on first need, take no time at rest, and stop when they are not used',
  { timeout: tortureTimeoutMs },
  async () => {
    const idleMs = amount({ quick: 1_000, full: 30_000 })
    const opened = await openServers({ idleMs })
    const { servers } = opened
    const states = async () => (await servers.list()).map(({ state }) => state)
    for (let at = 0; at < 10; at += 1) await addApproved(opened, 'none', `Server ${at}`)
    await vi.waitFor(async () => expect(new Set(await states())).toEqual(new Set(['stopped'])), {
      timeout: idleMs + 60_000,
    })

    const tools = await servers.usableTools()
    const echoes = tools.filter(({ definition }) => definition.name === 'echo')
    const { signal } = new AbortController()
    const calls = echoes.map((tool) => {
      return servers.callTool(tool, { text: 'Hello' }, { signal })
    })
    expect((await Promise.all(calls)).map(({ text }) => text)).toEqual(Array(10).fill('Hello'))
    expect(await states()).toEqual(Array(10).fill('running'))
    await pause(isTorture ? 5_000 : 0)
    const share = await processorShare(process.pid, isTorture ? 15_000 : 10)
    // Beside other tests, the process does not rest.
    const target = isTorture ? { target: { atMost: 1 } } : {}
    expectMeasured([row('10 servers at rest, with the service', [share, '% of a core'], target)])
    await vi.waitFor(async () => expect(new Set(await states())).toEqual(new Set(['stopped'])), {
      timeout: idleMs + 60_000,
    })
  },
)
