import { expect, test } from 'vitest'
import { demoModel } from '../../../../shared/models/provider-type.ts'
import { setupSteps, type SetupState } from './setup-steps.ts'

const installed = { kind: 'installed' } as const
const demo = { origin: 'built-in', state: installed } as const
/** A fresh installation: the demo model and its router are there. */
const fresh: SetupState = {
  providers: [{ type: 'local', hasKey: false, needsKey: false }],
  localModels: [demo, { origin: 'offered', state: { kind: 'available' } }],
  routers: [{ models: [demoModel.id] }],
  keys: [],
  hasAnswer: false,
}
const done = (state: Partial<SetupState>) =>
  setupSteps({ ...fresh, ...state }).flatMap(({ title, isDone }) => (isDone ? [title] : []))

test.each([
  ['the demo model and its router', {}, []],
  [
    'a provider with its key',
    { providers: [{ type: 'openai', hasKey: true, needsKey: true }] },
    ['Add a provider'],
  ],
  [
    'a provider without its key',
    { providers: [{ type: 'openai', hasKey: false, needsKey: true }] },
    [],
  ],
  [
    'a downloaded model',
    { localModels: [demo, { origin: 'offered', state: installed }] },
    ['Add a provider'],
  ],
  ['a router', { routers: [{ models: ['openai:gpt-5', demoModel.id] }] }, ['Create a router']],
  ['a revoked key', { keys: [{ revokedAtMs: 5, lastUsedAtMs: null }] }, []],
  [
    'a used key',
    { keys: [{ revokedAtMs: null, lastUsedAtMs: 5 }] },
    ['Create a key', 'Connect a tool'],
  ],
  ['an answered request', { hasAnswer: true }, ['Send a first request']],
] satisfies [string, Partial<SetupState>, string[]][])(
  'with %s these steps are done',
  (_name, state, titles) => {
    expect(done(state)).toEqual(titles)
  },
)

test('the provider stays the first step after answers of the demo', () => {
  const steps = setupSteps({ ...fresh, hasAnswer: true })
  expect(steps.find(({ isDone }) => !isDone)).toMatchObject({
    action: 'Add provider',
    search: { add: 'any' },
  })
})
