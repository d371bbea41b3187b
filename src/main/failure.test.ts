import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/storage/temporary-folder.ts'
import { openLog } from '../service/data-folder/log.ts'
import { DashboardError, SecretStoreError, ServiceError } from '../service/service.ts'
import { ipcCalls } from '../shared/ipc.ts'
import { reportBugsTo } from './bugs.ts'
import { toFailure } from './failure.ts'

test('invalid input names the field', () => {
  const parsed = ipcCalls['routers:create'].input.safeParse({
    name: 'R',
    strategy: 'priority',
    models: ['not a model'],
  })

  expect(toFailure(parsed.error, 'routers:create')).toEqual({
    code: 'invalid',
    message: 'Use the form provider:model_name',
    field: 'models.0',
  })
})

test.each([
  [new DashboardError('conflict', 'taken', 'id'), 'conflict', 'taken', 'id'],
  [
    new ServiceError('router_not_found', 'gone', { param: 'router' }),
    'router_not_found',
    'gone',
    'router',
  ],
  [new SecretStoreError('locked'), 'secrets_unavailable', 'locked', null],
  [
    Object.assign(new Error('full'), { code: 'SQLITE_FULL', path: '/data/modelport.db' }),
    'storage_unavailable',
    'The disk is full: /data/modelport.db cannot be written. Free some space, then try again.',
    null,
  ],
])('%s reaches the window with its message', (error, code, message, field) => {
  expect(toFailure(error, 'call')).toEqual({ code, message, field })
})

test('a bug reaches the window without its message', () => {
  const failure = toFailure(new Error('sk-secret in a message'), 'providers:add')

  expect(failure.code).toBe('internal_error')
  expect(JSON.stringify(failure)).not.toContain('sk-secret')
})

test('the log says which call failed and where, without the error’s text', async () => {
  const dataDir = temporaryFolder()
  const log = openLog(dataDir)
  reportBugsTo({ log })

  toFailure(new TypeError('sk-secret in a message'), 'providers:add')
  await log.close()

  const text = await readFile(join(dataDir, 'logs', 'modelport.log'), 'utf8')
  expect(JSON.parse(text)).toMatchObject({ where: 'providers:add', error: { name: 'TypeError' } })
  expect(text).toContain('failure.test.ts')
  expect(text).not.toContain('sk-secret')
})
