import { expect, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'
import { postgresDatabase } from '../../../test/storage/postgres-database.ts'

test('commands of two computers work on one database', async () => {
  const MODELPORT_DATABASE_URL = await postgresDatabase()
  const [one, other] = [newModelport(), newModelport()]
  const env = { MODELPORT_DATABASE_URL }
  const create = ['router', 'create', '--name', 'Shared', '--strategy', 'priority']
  const models = ['--models', 'local:smollm2-135m-instruct']
  const { code, stderr } = await one.run([...create, ...models], { env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })

  const list = ['router', 'list', '--json', '--database', MODELPORT_DATABASE_URL]
  expect((await other.run(list)).stdout).toContain('"name":"Shared"')
  expect((await other.run(['doctor'], { env })).stdout).toMatch(/PostgreSQL \d+/)

  const reset = await one.run(['catalog', 'reset'], { env })
  const shown = await other.run(['catalog', 'show'], { env })
  expect(shown).toEqual({ ...reset, code: 0, stderr: '' })

  const backup = await other.run(['backup', 'copy.db'], { env })
  expect(backup).toMatchObject({ code: 1, stderr: expect.stringContaining('pg_dump') })
  const restore = await other.run(['restore', 'copy.db'], { env })
  expect(restore).toMatchObject({ code: 1, stderr: expect.stringContaining('pg_restore') })
})

test('a node needs the built-in model only when a router uses it', async () => {
  const MODELPORT_DATABASE_URL = await postgresDatabase()
  const { run } = newModelport()
  const env = { MODELPORT_DATABASE_URL }

  expect((await run(['router', 'list', '--json'], { env })).stdout).toBe('')
  const before = (await run(['doctor'], { env })).stdout
  expect(before).toMatch(/^ok +local model +No router uses local models\.$/m)
  expect(before).not.toContain('graphics processor')

  const create = ['router', 'create', '--name', 'Small', '--strategy', 'priority']
  await run([...create, '--models', 'local:smollm2-135m-instruct'], { env })
  const after = (await run(['doctor'], { env })).stdout
  expect(after).toMatch(
    /^warn +local model +The built-in model has not been downloaded\..*"Small"/m,
  )
})

test('a database that cannot be reached is named without its password', async () => {
  const { run } = newModelport()
  const MODELPORT_DATABASE_URL = 'postgres://modelport:hidden@127.0.0.1:1/data'

  const { code, stderr } = await run(['router', 'list'], { env: { MODELPORT_DATABASE_URL } })

  expect(code).toBe(1)
  expect(stderr).toMatch(/^modelport: PostgreSQL at 127\.0\.0\.1:1\/data: /)
  expect(stderr).not.toContain('hidden')
})

test('the address of another kind of database is wrong usage', async () => {
  const { run } = newModelport()
  const env = { MODELPORT_DATABASE_URL: 'mysql://modelport:hidden@localhost/data' }

  expect(await run(['router', 'list'], { env })).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'modelport: MODELPORT_DATABASE_URL: Expected postgres://USER:PASSWORD@HOST:PORT/DATABASE.\n',
  })
})
