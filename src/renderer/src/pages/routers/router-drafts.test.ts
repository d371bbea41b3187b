import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usedScene } from '../../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../../test/renderer-harness/stub-window.ts'
import { useRouters } from '../../stores/routers.ts'
import { dismissUndo, runUndo } from '../../stores/undo.ts'
import { addModel, routerDrafts, saveRouterDraft, useRouterDrafts } from './router-drafts.ts'
import { toRouterTexts } from './router-texts.ts'

const id = 'router_Jk2mN8pR5sT7vW1x'

beforeEach(async () => {
  stubWindow(usedScene())
  await useRouters.getState().load()
})
afterEach(() => {
  dismissUndo()
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
