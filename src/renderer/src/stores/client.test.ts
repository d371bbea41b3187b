import { afterEach, describe, expect, test, vi } from 'vitest'
import { emptyScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import { call, CallError, errorBeside, errorOf } from './client.ts'

afterEach(() => vi.unstubAllGlobals())

test('a call returns the value from its envelope', async () => {
  stubWindow(emptyScene())
  await expect(call('routers:list')).resolves.toEqual([])
})

test('a rejected call throws the message and the field of the service', async () => {
  stubWindow(emptyScene())
  const router = { name: '', strategy: 'priority', models: ['local:m'] } as const
  await expect(call('routers:create', { ...router, models: [...router.models] })).rejects.toEqual(
    new CallError({ code: 'invalid', message: 'Enter a name', field: 'name' }),
  )
})

describe('the error of a form', () => {
  const error = new CallError({ code: 'invalid', message: 'Unknown.', field: 'router.models.0' })

  test('is shown beside its field at any depth', () => {
    expect(errorOf(error, 'models')).toBe('Unknown.')
    expect(errorOf(error, 'name')).toBeNull()
  })

  test('is shown only beside its part of the form', () => {
    const part = new CallError({ code: 'invalid', message: 'Unknown.', field: 'routing.regions.0' })
    expect(errorOf(part, 'routing.regions')).toBe('Unknown.')
    expect(errorOf(part, 'routing.regionsElsewhere')).toBeNull()
    expect(errorOf(part, 'routing.providers')).toBeNull()
  })

  test('is shown below the form when no field shows it', () => {
    expect(errorBeside(error, ['name'])).toBe(error)
    expect(errorBeside(error, ['name', 'models'])).toBeNull()
  })
})
