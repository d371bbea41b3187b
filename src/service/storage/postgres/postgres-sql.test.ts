import { Client } from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { postgresDatabase } from '../../../../test/storage/postgres-database.ts'
import { openQuota } from '../sql/quota.ts'
import type { Sql } from '../sql/sql.ts'
import { migrate, migrations } from './migrations/index.ts'
import { toSql, type PostgresClient } from './postgres-sql.ts'
import { toPostgresText } from './statement-text.ts'
import { valueTypes } from './value-types.ts'

let url = ''
beforeAll(async () => {
  url = await postgresDatabase()
})

async function connect(): Promise<Sql & { client: Client }> {
  const client = new Client({ connectionString: url, types: valueTypes })
  await client.connect()
  onTestFinished(() => client.end())
  return { ...toSql(client, 'test'), client }
}

test('positions and names become numbered values; texts, casts and comments stay', () => {
  expect(toPostgresText(`SELECT ?, '?' , "a?" FROM t WHERE b = ? -- ?`)).toEqual({
    text: `SELECT $1, '?' , "a?" FROM t WHERE b = $2 -- ?`,
    names: null,
  })
  expect(toPostgresText(`SELECT :one::text, :two, :one || ':three'`)).toEqual({
    text: `SELECT $1::text, $2, $1 || ':three'`,
    names: ['one', 'two'],
  })
})

test('values come back as they were given', async () => {
  const sql = await connect()
  await sql.client.query(
    'CREATE TEMPORARY TABLE of_values (i BIGINT, r DOUBLE PRECISION, t TEXT, b BYTEA)',
  )
  await sql
    .prepare('INSERT INTO of_values VALUES (?, ?, ?, ?)')
    .run(2 ** 53 - 1, 0.1, 'ä\0“', new Uint8Array([0, 1, 255]))
  const row = await sql
    .prepare<[], object>('SELECT i, r, t, b, sum(i) OVER () AS total FROM of_values')
    .get()
  expect(row).toEqual({
    i: 2 ** 53 - 1,
    r: 0.1,
    t: 'ä␀“',
    b: Buffer.from([0, 1, 255]),
    total: 2 ** 53 - 1,
  })
  expect(await sql.prepare<[], number>('SELECT i FROM of_values').pluck().all()).toEqual([
    2 ** 53 - 1,
  ])
})

test('rows are visited in batches, in a transaction or without one', async () => {
  const { client } = await connect()
  let mostRows = 0
  const counting: PostgresClient = {
    async query(statement) {
      const result = await client.query<Record<string, unknown>>(statement)
      mostRows = Math.max(mostRows, result.rows.length)
      return result
    },
  }
  const sql = toSql(counting, 'test')
  const select = sql.prepare<[number], number>('SELECT * FROM generate_series(1, ?)').pluck()
  const visited: number[] = []
  const collect = () => select.each((row) => visited.push(row), 2_500)
  await collect()
  await sql.transaction(async () => {
    const stopped = select.each(() => {
      throw new Error('enough')
    }, 2_500)
    await expect(stopped).rejects.toThrow('enough')
    await collect()
  })
  const numbers = Array.from({ length: 2_500 }, (_, index) => index + 1)
  expect(visited).toEqual([...numbers, ...numbers])
  expect(mostRows).toBe(1_000)
})

test('a failed part of a transaction undoes only its own changes', async () => {
  const sql = await connect()
  await sql.client.query('CREATE TEMPORARY TABLE parts (id TEXT PRIMARY KEY)')
  const insert = sql.prepare<[string]>('INSERT INTO parts VALUES (?)')
  await sql.transaction(async () => {
    await insert.run('a')
    const twice = sql.transaction(async () => {
      await insert.run('b')
      await insert.run('a')
    })
    await expect(twice).rejects.toMatchObject({ name: 'StorageConflict' })
    await insert.run('c')
  })
  expect(await sql.prepare('SELECT id FROM parts ORDER BY id').pluck().all()).toEqual(['a', 'c'])
})

test('of a group, rows that cannot be stored are named, and the others are stored', async () => {
  const sql = await connect()
  await sql.client.query('CREATE TEMPORARY TABLE groups (id TEXT PRIMARY KEY, n BIGINT NOT NULL)')
  const insertAll = sql.prepareInsertAll('groups', [
    { name: 'id', type: 'TEXT' },
    { name: 'n', type: 'INTEGER' },
  ])
  expect(
    await insertAll([
      ['a', 1],
      ['b', 2],
      ['a', 3],
    ]),
  ).toMatchObject([{ index: 2, error: { name: 'StorageConflict' } }])
  expect(
    await insertAll([
      ['c', null],
      ['a', 3],
      ['d', 4],
    ]),
  ).toMatchObject([
    { index: 0, error: { name: 'StorageRejected' } },
    { index: 1, error: { name: 'StorageConflict' } },
  ])
  const stored = await sql.prepare('SELECT id FROM groups ORDER BY id').pluck().all()
  expect(stored).toEqual(['a', 'b', 'd'])
})

test('nodes that start at once migrate the database once, and stores work on it', async () => {
  const { client, ...sql } = await connect()
  const clients = [client, (await connect()).client, (await connect()).client]
  await Promise.all(clients.map((one) => migrate(one)))
  const { rows } = await client.query<{ version: number }>(
    'SELECT version FROM schema_versions ORDER BY version',
  )
  expect(rows.map(({ version }) => version)).toEqual(migrations.map(({ version }) => version))
  const quota = openQuota(sql)
  const take = { routerId: 'r', day: '2026-11-22', limit: 5 }
  expect(await quota.take({ ...take, wanted: 3 })).toEqual({ granted: 3, used: 3 })
  expect(await quota.take({ ...take, wanted: 3 })).toEqual({ granted: 2, used: 5 })
  await expect(migrate(client, [{ version: 5, readableFrom: 5, sql: '' }])).rejects.toMatchObject({
    name: 'DatabaseFromNewerVersion',
  })
})
