import { sampleConversation, sampleMessage } from '../../../../../test/sample-conversations.ts'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { postgresDatabase } from '../../../../../test/storage/postgres-database.ts'
import { temporaryFolder } from '../../../../../test/storage/temporary-folder.ts'
import { openDatabase } from '../../sqlite/database.ts'
import { openStorage } from '../../sqlite/open-storage.ts'
import { openPostgresStorage } from '../open-postgres-storage.ts'
import { copyFromSqlite } from './from-sqlite.ts'
import { inDatabase } from './tables.ts'
import { copyToSqlite } from './to-sqlite.ts'

const withoutFiles = () => Promise.resolve()

function openFolder(dataDir: string) {
  const database = openDatabase({ dataDir })
  onTestFinished(() => void database.close())
  return database
}

async function connect(url: string): Promise<Client> {
  const client = new Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

test('a copy to PostgreSQL with the same counts and another text is refused', async () => {
  const dataDir = temporaryFolder()
  const source = await openStorage({ dataDir })
  await source.conversations.save(sampleConversation())
  await source.conversations.saveMessage('c', sampleMessage())
  await source.close()
  const url = await postgresDatabase()
  await (await openPostgresStorage({ url })).close()
  const client = await connect(url)
  await client.query(`
    CREATE FUNCTION change() RETURNS TRIGGER LANGUAGE plpgsql AS
      $$ BEGIN NEW.title = 'Changed'; RETURN NEW; END $$;
    CREATE TRIGGER change BEFORE INSERT ON conversations FOR EACH ROW EXECUTE FUNCTION change()`)

  await expect(copyFromSqlite(openFolder(dataDir), url, withoutFiles)).rejects.toMatchObject({
    name: 'StorageRejected',
    message: 'The copy of conversations differs from the original. Nothing was copied.',
  })
  expect((await client.query('SELECT id FROM conversations')).rows).toEqual([])
})

test('a copy to SQLite that lacks a row or has another text is refused', async () => {
  const url = await postgresDatabase()
  const source = await openPostgresStorage({ url })
  await source.conversations.save(sampleConversation())
  await source.close()
  const copyWith = (change: string) => {
    const target = openFolder(temporaryFolder())
    target.exec(`CREATE TRIGGER change AFTER INSERT ON conversations BEGIN ${change}; END`)
    return copyToSqlite(target, url, withoutFiles)
  }

  await expect(copyWith(`UPDATE conversations SET title = 'Changed'`)).rejects.toThrow(
    'The copy of conversations differs from the original.',
  )
  await expect(copyWith('DELETE FROM conversations')).rejects.toThrow(
    'The copy of conversations has 0 of 1 rows.',
  )
})

test('large rows are copied few at a time, in both directions', async () => {
  const dataDir = temporaryFolder()
  const source = await openStorage({ dataDir })
  const large = 'x'.repeat(5 * 2 ** 20)
  for (let blob = 0; blob < 12; blob += 1)
    await source.conversations.saveBlob({ sha256: `${blob}`, data: large, text: null }, 1)
  await source.close()
  const url = await postgresDatabase()
  const query = vi.spyOn(Client.prototype, 'query')
  onTestFinished(() => query.mockRestore())

  await copyFromSqlite(openFolder(dataDir), url, withoutFiles)
  const target = openFolder(temporaryFolder())
  await copyToSqlite(target, url, withoutFiles)

  expect(target.prepare('SELECT sum(length(data)) FROM blobs').pluck().get()).toBe(60 * 2 ** 20)
  const inserted = query.mock.calls.flatMap(([text, values]: unknown[]) =>
    String(text).startsWith('INSERT INTO blobs') ? [(values as unknown[][])[0]?.length] : [],
  )
  expect(inserted).toEqual([4, 4, 4])
  const results: unknown[] = await Promise.all(query.mock.results.map(({ value }) => value))
  const fetched = results.map(
    (result) => (result as { rows?: unknown[][] } | undefined)?.rows ?? [],
  )
  const blobs = fetched.filter(([row]) => Array.isArray(row) && row.includes(large))
  expect(Math.max(...blobs.map(({ length }) => length))).toBeLessThanOrEqual(10)
})

test('a connection that breaks between two statements fails the copy, and not the process', async () => {
  const url = await postgresDatabase()
  const other = await connect(url)
  const broken = inDatabase(url, 'BEGIN', async ({ client, sql }) => {
    const pid = await sql.prepare<[], number>('SELECT pg_backend_pid()').pluck().get()
    // `once` of node:events would reject with the error of the lost connection.
    const ended = new Promise<void>((resolve) => {
      client.once('end', resolve)
    })
    await other.query('SELECT pg_terminate_backend($1)', [pid])
    await ended
    await sql.prepare('SELECT 1').get()
  })
  await expect(broken).rejects.toMatchObject({ name: 'StorageUnavailable' })
})
