/** Tests that refused origins are reported, remembered and written in small amounts, even if a page misbehaves. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readRefusedOrigins, RefusedOrigins } from './refused-origins.ts'

function open() {
  const dataDir = mkdtempSync(join(tmpdir(), 'modelport-origins-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const state = { nowMs: 0, allowed: [] as string[] }
  const told: { origins: readonly string[]; added: readonly string[] }[] = []
  const errors: unknown[] = []
  const refused = new RefusedOrigins({
    dataDir,
    now: () => state.nowMs,
    allowedOrigins: () => state.allowed,
    onNews: (origins, added) => told.push({ origins, added }),
    onError: (error) => errors.push(error),
  })
  onTestFinished(() => refused.close())
  return { refused, told, state, dataDir }
}

const untilTold = (told: unknown[], count: number) => expect.poll(() => told).toHaveLength(count)

test('reports a flood once, and keeps the newest few', async () => {
  const { refused, told } = open()

  for (let index = 0; index < 10_000; index += 1) refused.add(`https://a${index}.evil.example`)
  await untilTold(told, 1)

  expect(refused.list()).toHaveLength(8)
  expect(told[0]?.added).toHaveLength(24)
})

test('reports again an hour after a flood', async () => {
  const { refused, state } = open()
  for (let index = 0; index < 100; index += 1) refused.add(`https://a${index}.evil.example`)

  refused.add('https://mine.example')
  const before = refused.list().includes('https://mine.example')
  state.nowMs = 3_600_000
  refused.add('https://mine.example')

  expect([before, refused.list()[0]]).toEqual([false, 'https://mine.example'])
})

test.each(['null', '', 'https://a.example/path', `https://${'a'.repeat(400)}.example`])(
  'ignores %j, which cannot be allowed',
  (origin) => {
    const { refused } = open()

    refused.add(origin)

    expect(refused.list()).toEqual([])
  },
)

test('writes a file for the command line, readable by its user only, until the end', async () => {
  const { refused, told, dataDir } = open()

  refused.add('app://a-tool')
  await untilTold(told, 1)
  await expect.poll(() => readRefusedOrigins(dataDir)).toEqual(['app://a-tool'])
  const { mode } = statSync(join(dataDir, 'refused-origins.json'))
  await refused.close()

  expect(mode & 0o777).toBe(0o600)
  expect(await readRefusedOrigins(dataDir)).toEqual([])
})

test('removes allowed origins from the list', async () => {
  const { refused, told, state } = open()
  refused.add('app://a-tool')
  refused.add('app://another')

  state.allowed = ['app://a-tool']
  refused.settingsChanged()
  await untilTold(told, 1)

  expect(told[0]?.origins).toEqual(['app://another'])
})
