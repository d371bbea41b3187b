import { expect, test } from 'vitest'
import { initialsOf } from './provider-mark.tsx'

test.each([
  ['OpenAI', 'OA'],
  ['Google Gemini', 'GG'],
  ['Moonshot AI (Kimi)', 'MA'],
  ['OpenAI-compatible server', 'OA'],
  ['vLLM', 'V'],
  ['llama.cpp', 'LC'],
  ['AWS Bedrock', 'AB'],
])('%s has the initials %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
