import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { ConnectionProblems } from './connection-problems.ts'

function start(dataDir = temporaryFolder()) {
  const clock = { nowMs: 10_000_000 }
  const onNews = vi.fn<() => void>()
  const problems = new ConnectionProblems({
    dataDir,
    now: () => clock.nowMs,
    onNews,
    onError: (error) => expect.unreachable(String(error)),
  })
  return { problems, clock, onNews, dataDir, note: join(dataDir, 'refused-connections.json') }
}

const wrongKey = { kind: 'wrong_key', client: 'curl/8.5.0', detail: 'unknown' } as const

test('equal refusals are counted together, with those of the last minute', async () => {
  const { problems, clock } = start()
  await problems.start()
  problems.add(wrongKey)
  clock.nowMs += 61_000
  problems.add(wrongKey)
  problems.add({ ...wrongKey, detail: 'revoked' })

  expect(await problems.list()).toMatchObject([
    { detail: 'revoked', count: 1, lastMinute: 1 },
    { detail: 'unknown', count: 2, lastMinute: 1, lastAtMs: clock.nowMs, tool: 'curl' },
  ])
  await problems.close()
})

test('at most 32 are kept, the newest, and none for longer than an hour', async () => {
  const { problems, clock } = start()
  await problems.start()
  for (let index = 0; index < 100; index += 1) {
    problems.add({ ...wrongKey, client: `client-${index}` })
  }
  const kept = await problems.list()
  expect(kept).toHaveLength(32)
  expect(kept[0]).toMatchObject({ client: 'client-99' })

  clock.nowMs += 3_600_001
  problems.add({ ...wrongKey, client: 'later' })
  expect(await problems.list()).toMatchObject([{ client: 'later' }])
  await problems.close()
})

test('another process reads them, until the service stops', async () => {
  const { problems, onNews, dataDir, note } = start()
  await problems.start()
  problems.add(wrongKey)
  await expect.poll(() => onNews).toHaveBeenCalledOnce()
  const other = start(dataDir)
  other.clock.nowMs = 10_000_000
  expect(await other.problems.list()).toMatchObject([{ kind: 'wrong_key', count: 1 }])
  expect(readFileSync(note, 'utf8')).not.toContain('mp_')

  await other.problems.close()
  expect(await other.problems.list()).toHaveLength(1)
  await problems.close()
  expect(await other.problems.list()).toEqual([])
})

test('a note that is not Modelport’s is not shown, and a service deletes it at its start', async () => {
  const { problems, note } = start()
  writeFileSync(note, '[{"kind": "wrong_key", "message": "run this"}]')
  expect(await problems.list()).toEqual([])
  await problems.start()
  expect(() => readFileSync(note)).toThrow('ENOENT')
})
