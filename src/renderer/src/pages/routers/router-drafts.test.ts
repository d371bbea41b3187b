import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usedScene } from '../../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../../test/renderer-harness/stub-window.ts'
import { updateRouter, useRouters } from '../../stores/routers.ts'
import { dismissToasts, useToasts } from '../../stores/toasts.ts'
import { dismissUndo, runUndo } from '../../stores/undo.ts'
import {
  addModel,
  routerDrafts,
  saveRouterDraft,
  setRouterPaused,
  useRouterDrafts,
} from './router-drafts.ts'
import { toRouterInput, toRouterTexts } from './router-texts.ts'
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

test('a save removes the draft, and its undo restores every former setting', async () => {
  const before = saved()
  const texts = {
    ...toRouterTexts(before),
    strategy: 'balanced' as const,
    models: ['openai:gpt-5'],
  }
  routerDrafts.keep(id, texts)

  await saveRouterDraft(before, texts)
  expect(saved()).toMatchObject({ strategy: 'balanced', models: ['openai:gpt-5'] })
  expect(useRouterDrafts.getState()).toEqual({})

  await runUndo()
  expect({ ...saved(), updatedAtMs: 0 }).toEqual({ ...before, updatedAtMs: 0 })
  expect(useRouterDrafts.getState()).toEqual({ [id]: texts })
})

test('what was typed during a save stays unsaved', async () => {
  const before = saved()
  const texts = { ...toRouterTexts(before), strategy: 'balanced' as const }
  routerDrafts.keep(id, texts)
  const saving = saveRouterDraft(before, texts)
  const later = { ...texts, dailyLimit: '7' }
  routerDrafts.keep(id, later)
  await saving
  expect(useRouterDrafts.getState()[id]).toBe(later)
})

test('a refused save keeps the draft and offers no undo', async () => {
  const before = saved()
  const texts = { ...toRouterTexts(before), models: [] }
  routerDrafts.keep(id, texts)
  await expect(saveRouterDraft(before, texts)).rejects.toMatchObject({ field: 'router.models' })
  await runUndo()
  expect(useRouterDrafts.getState()[id]).toBe(texts)
  expect(saved().models).toEqual(before.models)
})

test('a draft keeps the name that the router got in the meantime', async () => {
  const before = { ...saved(), name: 'Shop' }
  await saveRouterDraft(before, { ...toRouterTexts(saved()), strategy: 'priority' })
  expect(saved()).toMatchObject({ name: 'Shop', strategy: 'priority' })
})

test('a model added elsewhere is also added to the draft, so that a save keeps it', async () => {
  const before = { ...saved(), models: ['openai:gpt-5'] }
  const texts = { ...toRouterTexts(before), dailyLimit: '7' }
  routerDrafts.keep(id, texts)
  await addModel(before, 'groq:llama')
  expect(saved().models).toEqual(['openai:gpt-5', 'groq:llama'])
  expect(useRouterDrafts.getState()[id]).toEqual({
    ...texts,
    models: ['openai:gpt-5', 'groq:llama'],
  })
})

test('a model added to a router without unsaved changes starts no draft', async () => {
  await addModel({ ...saved(), models: ['openai:gpt-5'] }, 'groq:llama')
  expect(useRouterDrafts.getState()).toEqual({})
})

test('a router is paused beside its draft, whose save keeps that, as the undo of the pause does', async () => {
  const before = saved()
  const draft = () => useRouterDrafts.getState()[id]
  routerDrafts.keep(id, { ...toRouterTexts(before), dailyLimit: '7' })

  await setRouterPaused(id, true)
  expect(saved().routing.isPaused).toBe(true)
  expect(draft()).toMatchObject({ dailyLimit: '7', 'routing.isPaused': true })
  useToasts.getState().toasts.at(-1)?.action?.run()
  await vi.waitFor(() => expect(draft()).toMatchObject({ 'routing.isPaused': false }), 60_000)
  expect(saved().routing.isPaused).toBe(false)

  await setRouterPaused(id, true)
  await saveRouterDraft(saved(), { ...toRouterTexts(before), ...draft() })
  expect(saved()).toMatchObject({ dailyLimit: 7, routing: { isPaused: true } })
})

test('a pause starts no draft, and ends a draft that wanted only that', async () => {
  await setRouterPaused(id, true)
  expect(useRouterDrafts.getState()).toEqual({})

  routerDrafts.keep(id, { ...toRouterTexts(saved()), 'routing.isPaused': false })
  await setRouterPaused(id, false)
  expect(useRouterDrafts.getState()).toEqual({})
})

test('the undo of a save keeps a later pause and a later name', async () => {
  const before = saved()
  await saveRouterDraft(before, { ...toRouterTexts(before), dailyLimit: '7' })
  await setRouterPaused(id, true)
  await updateRouter(id, { ...toRouterInput(saved()), name: 'Shop' })

  await runUndo()
  expect(saved()).toMatchObject({
    name: 'Shop',
    dailyLimit: before.dailyLimit,
    routing: { isPaused: true },
  })
  expect(useRouterDrafts.getState()[id]).toMatchObject({
    dailyLimit: '7',
    'routing.isPaused': true,
  })
})

test('the undo of a save that paused the router resumes it', async () => {
  const before = saved()
  await saveRouterDraft(before, { ...toRouterTexts(before), 'routing.isPaused': true })
  await runUndo()
  expect(saved().routing.isPaused).toBe(false)
  expect(useRouterDrafts.getState()[id]).toMatchObject({ 'routing.isPaused': true })
})

test('a rule is made beside a draft, whose save keeps it, and its undo removes it from both', async () => {
  const draft = () => useRouterDrafts.getState()[id]
  const drafted = () => draft()?.['routing.subagents']
  const own = { Plan: 'openai:gpt-5' }
  routerDrafts.keep(id, { ...toRouterTexts(saved()), 'routing.subagents': own })

  await makeSubagentRule(id, rule)
  expect(saved().routing.subagents).toEqual({ Explore: rule.target })
  expect(drafted()).toEqual({ ...own, Explore: rule.target })
  useToasts.getState().toasts.at(-1)?.action?.run()
  await vi.waitFor(() => expect(drafted()).toEqual(own), 60_000)
  expect(saved().routing.subagents).toBeNull()

  await makeSubagentRule(id, rule)
  await saveRouterDraft(saved(), { ...toRouterTexts(saved()), ...draft() })
  expect(saved().routing.subagents).toEqual({ ...own, Explore: rule.target })
})

test('a rule of a router without unsaved changes starts no draft', async () => {
  await makeSubagentRule(id, rule)
  expect(useRouterDrafts.getState()).toEqual({})
})
