import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sampleDetail, sampleRecord } from '../../../test/storage/samples.ts'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { rowColumns, toRowValues } from '../storage/sql/ledger-row.ts'
import { WaitingRows } from './waiting-rows.ts'

const row = (id: string) => toRowValues({ record: sampleRecord({ id }), detail: sampleDetail() })

function openFolder() {
  const folder = temporaryFolder()
  const file = join(folder, 'waiting-rows.jsonl')
  const problems: unknown[] = []
  const open = () => new WaitingRows(folder, (error) => problems.push(error))
  return { folder, file, problems, open }
}

test('has a name for each value of a row', () => {
  expect(rowColumns).toHaveLength(row('one').length)
  expect(new Set(rowColumns).size).toBe(rowColumns.length)
})

test('the next process reads every row, and nobody else can', async () => {
  const { file, open, problems } = openFolder()
  const rows = open()
  const torn = toRowValues({
    record: sampleRecord({ id: 'b', tag: 'half \ud83d and \0', latencyMs: 0.1 + 0.2 }),
    detail: sampleDetail(),
  })
  void rows.add([row('a'), torn])
  await rows.add([row('c')])

  expect(await open().read()).toEqual({ rows: [row('a'), torn, row('c')], isWhole: true })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(problems).toEqual([])
})

test('is empty before the first row and after all are stored', async () => {
  const { file, open } = openFolder()
  const rows = open()
  expect(await rows.read()).toEqual({ rows: [], isWhole: true })
  void rows.add([row('a')])
  await rows.clear()
  expect(existsSync(file)).toBe(false)

  await rows.add([row('b')])
  expect(await open().read()).toEqual({ rows: [row('b')], isWhole: true })
})

test('a line that was cut by the end of its process is no row', async () => {
  const { file, open } = openFolder()
  await open().add([row('a')])
  appendFileSync(file, '["b",')
  expect(await open().read()).toEqual({ rows: [row('a')], isWhole: true })
})

test('rows of another version are read by the names of their columns', async () => {
  const { file, open } = openFolder()
  const values = row('a')
  const columns = ['gone', ...rowColumns.toReversed().filter((name) => name !== 'tag')]
  const line = [
    'x',
    ...values.toReversed().filter((_, at) => rowColumns.toReversed()[at] !== 'tag'),
  ]
  writeFileSync(file, `${JSON.stringify(columns)}\n${JSON.stringify(line)}\n`)

  const { rows } = await open().read()

  const withoutTag = values.map((value, at) => (rowColumns[at] === 'tag' ? null : value))
  expect(rows).toEqual([withoutTag])
})

test('a damaged line costs no other row, and the file is kept', async () => {
  const { folder, file, open, problems } = openFolder()
  await open().add([row('a')])
  appendFileSync(file, '{"not":"a row"}\n')
  const next = open()

  expect(await next.read()).toEqual({ rows: [row('a')], isWhole: false })
  await next.setAside()

  expect(readdirSync(folder)).toEqual([
    expect.stringMatching(/^waiting-rows\.jsonl\.\d+\.damaged$/),
  ])
  expect(problems).toEqual([
    expect.objectContaining({ message: expect.stringContaining('damaged') }),
  ])
})

test('a write that fails is reported, and the next one works', async () => {
  const { file, open, problems } = openFolder()
  const rows = open()
  mkdirSync(file)
  await rows.add([row('a')])
  expect(problems).toMatchObject([{ code: 'EISDIR' }])
  rmdirSync(file)

  await rows.add([row('b')])

  expect((await open().read()).rows).toEqual([row('b')])
})

test('what a failed write left of a line is not in front of the next row', async () => {
  const { file, open } = openFolder()
  const rows = open()
  await rows.add([row('a')])
  appendFileSync(file, '["torn')

  await rows.add([row('b')])

  expect(await open().read()).toEqual({ rows: [row('a'), row('b')], isWhole: true })
})
