import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import {
  changeDraft,
  discardDraft,
  loadPlan,
  planInput,
  usePlan,
  useTuningDraft,
  type PlannedFields,
} from './tuning-draft.ts'

const routerId = 'router_Jk2mN8pR5sT7vW1x'

beforeEach(() => discardDraft())
afterEach(() => vi.unstubAllGlobals())

function fields(change: Partial<PlannedFields> = {}): PlannedFields {
  return { ...useTuningDraft.getState(), routerId, ...change }
}

test('another source or router withdraws the consent', () => {
  const agreed = { routerId, from: 'requests', hasConsent: true } as const
  changeDraft(agreed)
  changeDraft({ judge: 'openai:gpt-5.4' })
  expect(useTuningDraft.getState().hasConsent).toBe(true)
  changeDraft({ from: 'conversations' })
  expect(useTuningDraft.getState().hasConsent).toBe(false)
  changeDraft(agreed)
  changeDraft({ routerId: 'router_other' })
  expect(useTuningDraft.getState().hasConsent).toBe(false)
})

test('nothing is planned before consent, or without a file', () => {
  expect(planInput(fields({ from: 'requests' }))).toBeNull()
  expect(planInput(fields({ from: 'file' }))).toBeNull()
  expect(planInput(fields({ from: 'requests', hasConsent: true }))).toMatchObject({
    prompts: { from: 'requests', consent: true },
  })
})

test('the number of prompts is that of the choice, or the typed one', () => {
  expect(planInput(fields())?.count).toBe(100)
  expect(planInput(fields({ count: 'other', otherCount: '64' }))?.count).toBe(64)
  expect(planInput(fields({ count: 'other', otherCount: '' }))?.count).toBeNaN()
})

test('the last plan stays while a newer one is loading', async () => {
  stubWindow(usedScene())
  const input = { routerId, prompts: { from: 'starter' as const } }
  await loadPlan(input)
  const planned = usePlan.getState()
  expect(planned).toMatchObject({ kind: 'planned', input, plan: { prompts: { chosen: 100 } } })
  const second = loadPlan({ ...input, count: 20 })
  expect(usePlan.getState()).toMatchObject({ kind: 'planning', plan: { prompts: { chosen: 100 } } })
  await second
  expect(usePlan.getState()).toMatchObject({ kind: 'planned', plan: { prompts: { chosen: 20 } } })
})

test('of two plans, the one that was asked for later is shown', async () => {
  stubWindow(usedScene())
  const input = { routerId, prompts: { from: 'starter' as const } }
  await Promise.all([loadPlan({ ...input, count: 20 }), loadPlan({ ...input, count: 30 })])
  expect(usePlan.getState()).toMatchObject({ plan: { prompts: { chosen: 30 } } })
})

test('a plan that fails is an error', async () => {
  stubWindow(usedScene())
  await loadPlan({ routerId: 'router_unknown', prompts: { from: 'starter' } })
  expect(usePlan.getState()).toMatchObject({ kind: 'failed', error: { code: 'not_found' } })
})
