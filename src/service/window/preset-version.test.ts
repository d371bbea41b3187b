import { expect, test } from 'vitest'
import { samplePreset } from '../../../test/sample-conversations.ts'
import { presetVersion } from './preset-version.ts'

const version = presetVersion(samplePreset())

test.each([
  ['prompt', { systemPrompt: 'Translate into German.' }],
  ['parameters', { parameters: { temperature: 0.3, reasoningEffort: 'low' as const } }],
  ['router', { routerId: null }],
])('another %s is another version', (_what, changed) => {
  expect(presetVersion(samplePreset(changed))).not.toBe(version)
})

test('a new name and another order of the parameters are the same version', () => {
  const parameters = { reasoningEffort: 'low' as const, topP: undefined, temperature: 0.2 }
  expect(presetVersion(samplePreset({ name: 'Interpreter', parameters }))).toBe(version)
})
