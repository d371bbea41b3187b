import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'
import { sampleDetail, sampleRecord } from '../../../test/storage/samples.ts'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { openStorage } from '../storage/sqlite/open-storage.ts'

const days = ['2026-11-02', '2026-11-03', '2026-11-04', '2026-11-05']
const tokens = {
  input: 100_000,
  cacheRead: null,
  cacheWrite: null,
  output: 10_000,
  reasoning: null,
}

/** One request a day to a model of $1 and $2: $0.12. */
async function newLedger() {
  const dataDir = temporaryFolder()
  const modelport = newModelport(dataDir)
  const provider = ['mine', '--type', 'openai-compatible', '--base-url', 'http://127.0.0.1:9/v1']
  await modelport.run(['provider', 'add', ...provider])
  const price = ['--input-usd-per-mtok', '1', '--output-usd-per-mtok', '2']
  await modelport.run(['model', 'add', 'mine:m', ...price])
  const storage = await openStorage({ dataDir })
  for (const [nth, day] of days.entries()) {
    const startedAtMs = Date.parse(`${day}T12:00:00Z`)
    const row = { id: `${nth}`, startedAtMs, modelUsed: 'mine:m', costNanoUsd: 120_000_000 }
    await storage.ledger.append(sampleRecord(row), sampleDetail({ tokens }))
  }
  await storage.close()
  return modelport
}

function write(dataDir: string, name: string, rows: readonly string[]): string {
  const file = join(dataDir, name)
  const head = 'date,model,requests,input_tokens,output_tokens,cost_usd'
  writeFileSync(file, [head, ...rows].join('\n'))
  return file
}

test('reconcile prints causes and the command that corrects a price, which then offers none', async () => {
  const { dataDir, run, json } = await newLedger()
  const bill = write(
    dataDir,
    'bill.csv',
    days.map((day, nth) => `${day},m,1,100000,10000,${nth >= 2 ? '0.150000' : '0.120000'}`),
  )

  const { stdout, code } = await run(['reconcile', bill])
  expect(code).toBe(0)
  expect(stdout).toContain('the bill has $0.5400, Modelport $0.4800.')
  expect(stdout).toMatch(
    /2026-11-04 +mine:m +0\.1500 +0\.1200 +0\.0300 +– +Another price since 2026-11-04 \(\+25\.0 %\) 0\.0300/,
  )
  expect(stdout).not.toMatch(/^2026-11-02 +mine/m)
  const command = stdout.split('\n').at(-2)?.trim() ?? ''
  expect(command).toBe(
    'modelport model price mine:m --from 2026-11-04T00:00:00.000Z --input-usd-per-mtok 1.25 --output-usd-per-mtok 2.5',
  )

  expect(await run(command.split(' ').slice(1))).toMatchObject({ code: 0 })
  expect(await json('model', 'price', 'mine:m')).toMatchObject([
    { modelId: 'mine:m', inputUsdPerMtok: 1.25, outputUsdPerMtok: 2.5 },
  ])
  const [again] = await json('reconcile', bill)
  expect(again).toMatchObject({ prices: [], total: { unexplainedUsd: 0 } })

  const remove = ['model', 'price', 'mine:m', '--from', '2026-11-04', '--remove']
  expect(await run(remove)).toMatchObject({ code: 0 })
  expect(await json('model', 'price', 'mine:m')).toEqual([])
  expect(await run(remove)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('"mine:m" has no price from that date.'),
  })
})

test('reconcile says that tokens differ where no price is known, and prints no $0 for it', async () => {
  const { dataDir, run, json } = await newLedger()
  const bill = write(dataDir, 'bill.csv', ['2026-11-02,m,1,100000,10000,', '2026-11-02,new,1,9,9,'])

  const { stdout, code } = await run(['reconcile', bill])
  expect(code).toBe(0)
  expect(stdout).toContain(
    'No price is known for 1 line below. The sums do not include the difference in tokens.',
  )
  expect(stdout).toMatch(
    /2026-11-02 +new +– +0\.0000 +– +– +Tokens differ, but no price is known$/m,
  )
  expect(stdout).not.toContain('No difference.')
  const [result] = await json('reconcile', bill)
  expect(result).toMatchObject({
    lines: [{ causes: [] }, { model: 'new', causes: [{ kind: 'noPrice', usd: 0 }] }],
  })
})

test('reconcile names the problem of a file, of a range and of a provider, and changes nothing', async () => {
  const { dataDir, run, json } = await newLedger()
  const before = await json('usage', '--group', 'day')
  const damaged = write(dataDir, 'damaged.csv', ['2026-11-02,m,1,x,10000,0.12'])
  expect(await run(['reconcile', damaged])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'damaged.csv, line 2: "input_tokens" is "x", which is no count of tokens.',
    ),
  })
  const good = write(dataDir, 'good.csv', ['2026-11-02,m,1,100000,10000,0.12'])
  expect(await run(['reconcile', good, '--provider', 'none'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no provider "none".'),
  })
  expect(await run(['reconcile', good, '--time-zone', 'Mars'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Enter a time zone such as UTC or America/Los_Angeles.'),
  })
  expect(
    await run(['reconcile', good, '--from', '2026-11-03', '--to', '2026-11-02']),
  ).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Choose a last day after the first.'),
  })
  expect(await run(['reconcile', join(dataDir, 'missing.csv')])).toMatchObject({ code: 1 })
  expect(await json('usage', '--group', 'day')).toEqual(before)
})
