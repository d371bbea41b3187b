import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usedScene } from '../../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../../test/renderer-harness/stub-window.ts'
import { useRouters } from '../../stores/routers.ts'
import { dismissToasts, useToasts } from '../../stores/toasts.ts'
import { dismissUndo } from '../../stores/undo.ts'
import { routerDrafts, saveRouterDraft, useRouterDrafts } from './router-drafts.ts'
import { toRouterTexts } from './router-texts.ts'
import { makeSubagentRule } from './subagent-rules.ts'

const id = 'router_Jk2mN8pR5sT7vW1x'
const rule = { type: 'Explore', target: 'openai:gpt-5' }

beforeEach(async () => {
  stubWindow(usedScene())
  await useRouters.getState().load()
})
afterEach(() => {
  dismissUndo()
  dismissToasts()
  routerDrafts.discard(id)
  vi.unstubAllGlobals()
})

function saved() {
  const router = useRouters.getState().items?.find((one) => one.id === id)
  if (!router) throw new Error('the scene has no such router')
  return router
}

test('a rule is made beside a draft, whose save keeps it, and its undo removes it from both', async () => {
  const draft = () => useRouterDrafts.getState()[id]
  const drafted = () => draft()?.['routing.subagents']
  const own = { Plan: 'openai:gpt-5' }
  routerDrafts.keep(id, { ...toRouterTexts(saved()), 'routing.subagents': own })

  await makeSubagentRule(id, rule)
  expect(saved().routing.subagents).toEqual({ Explore: rule.target })
  expect(drafted()).toEqual({ ...own, Explore: rule.target })
  useToasts.getState().toasts.at(-1)?.action?.run()
  await vi.waitFor(() => expect(drafted()).toEqual(own))
  expect(saved().routing.subagents).toBeNull()

  await makeSubagentRule(id, rule)
  await saveRouterDraft(saved(), { ...toRouterTexts(saved()), ...draft() })
  expect(saved().routing.subagents).toEqual({ ...own, Explore: rule.target })
})

test('a rule of a router without unsaved changes starts no draft', async () => {
  await makeSubagentRule(id, rule)
  expect(useRouterDrafts.getState()).toEqual({})
})
