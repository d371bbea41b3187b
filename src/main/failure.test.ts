import { expect, test } from 'vitest'
import { DashboardError, SecretStoreError, ServiceError } from '../service/service.ts'
import { ipcCalls } from '../shared/ipc.ts'
import { toFailure } from './failure.ts'

test('a mistake in the input names the field', () => {
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
])('%s speaks for itself', (error, code, message, field) => {
  expect(toFailure(error, 'call')).toEqual({ code, message, field })
})

test('a bug is told without its text', () => {
  const failure = toFailure(new Error('sk-secret in a message'), 'providers:add')

  expect(failure.code).toBe('internal_error')
  expect(JSON.stringify(failure)).not.toContain('sk-secret')
})
