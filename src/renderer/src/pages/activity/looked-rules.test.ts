import { expect, test } from 'vitest'
import type { LookedRule } from '../../../../shared/requests/look-only.ts'
import { ruleText } from './looked-rules.tsx'

const rule: LookedRule = {
  routerId: 'router_a',
  routerName: 'Coding',
  model: 'anthropic:claude-haiku-5-5',
  sessions: 41,
  savedNanoUsd: 4.1e9,
  lowNanoUsd: 3.2e9,
  highNanoUsd: 5.1e9,
  missing: 0,
}

test('a saving has its range and its sessions', () => {
  expect(ruleText(rule)).toBe(
    'Coding: anthropic:claude-haiku-5-5 for subagents would have saved $4.10 on 41 sessions (95 % range $3.20 to $5.10).',
  )
})

test('too few sessions give no figure, and how many more it takes', () => {
  const text = ruleText({ ...rule, sessions: 17, missing: 34 })

  expect(text).toContain('not enough sessions to tell')
  expect(text).toContain('34 more')
  expect(text).not.toContain('$')
})
