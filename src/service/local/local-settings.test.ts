/** The settings of local models: the longest context and the graphics processor. */
import { expect, onTestFinished, test } from 'vitest'
import { ask, open, user } from '../../../test/local/ask-local-model.ts'
import { scriptedProcess, type ProcessRequests } from '../../../test/local/scripted-process.ts'

const metal = { kind: 'metal', devices: ['Apple M2'] }
const settings = { ownModels: [], contextTokens: 8192, usesGpu: true }

async function openScripted() {
  const asked: ProcessRequests = { loads: [], generations: [] }
  const model = await open({ settings, fork: () => scriptedProcess(asked, metal) })
  onTestFinished(() => model.close())
  return { model, asked }
}

test('a model uses the graphics processor that llama.cpp finds, and its state names it', async () => {
  const { model } = await openScripted()

  await ask(user('Hi'), { to: model })

  expect(model.state()).toMatchObject({ status: 'ready', gpu: 'Apple M2 (metal)' })
})

test('after the graphics processor is turned off, the next request loads the model without it', async () => {
  const { model, asked } = await openScripted()
  await ask(user('Hi'), { to: model })

  model.configure({ ...settings, usesGpu: false })
  expect(model.state()).toMatchObject({ status: 'stopped' })
  await ask(user('Hi'), { to: model })

  expect(asked.loads.map(({ usesGpu }) => usesGpu)).toEqual([true, false])
  expect(model.state()).toMatchObject({ status: 'ready', gpu: null })
})

test('a shorter context applies from the next request on, and never exceeds the built-in model’s own', async () => {
  const { model, asked } = await openScripted()
  await ask(user('Hi'), { to: model })

  model.configure({ ...settings, contextTokens: 1024 })
  await ask(user('Hi'), { to: model })

  expect(asked.loads.map(({ contextTokens }) => contextTokens)).toEqual([4096, 1024])
})
