import { expect, test } from 'vitest'
import { setupSteps, type SetupState } from './setup-steps.ts'

const fresh: SetupState = {
  providers: [],
  localModel: { status: 'missing', downloadBytes: 1 },
  routers: [],
  keys: [],
  requests: 0,
}
const done = (state: Partial<SetupState>) =>
  setupSteps({ ...fresh, ...state }).flatMap(({ title, isDone }) => (isDone ? [title] : []))

test.each([
  ['nothing', {}, []],
  [
    'a provider with its key',
    { providers: [{ type: 'openai', hasKey: true, needsKey: true }] },
    ['Add a model'],
  ],
  [
    'a provider without its key',
    { providers: [{ type: 'openai', hasKey: false, needsKey: true }] },
    [],
  ],
  ['a local model', { localModel: { status: 'stopped', file: 'model.gguf' } }, ['Add a model']],
  ['a router', { routers: [{ id: 'router_1' }] }, ['Create a router']],
  ['a revoked key', { keys: [{ revokedAtMs: 5, lastUsedAtMs: null }] }, []],
  [
    'a used key',
    { keys: [{ revokedAtMs: null, lastUsedAtMs: 5 }] },
    ['Create a key', 'Connect a tool'],
  ],
  ['a request', { requests: 1 }, ['Send a first request']],
] satisfies [string, Partial<SetupState>, string[]][])(
  'with %s these steps are done',
  (_name, state, titles) => {
    expect(done(state)).toEqual(titles)
  },
)

test('a provider is offered until there is one, also beside the local model', () => {
  const localModel = { status: 'stopped', file: 'model.gguf' } as const
  const first = (state: Partial<SetupState>) => setupSteps({ ...fresh, localModel, ...state })[0]

  expect(first({})).toMatchObject({ isDone: true, isOffered: true, search: { add: 'any' } })
  const providers = [{ type: 'openai', hasKey: true, needsKey: true }]
  expect(first({ providers })).toMatchObject({ isDone: true, isOffered: false })
})
