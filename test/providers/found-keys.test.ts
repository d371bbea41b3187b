/** Vendors' keys in the environment: offered by the names of their variables, and added in one step. */
import { expect, onTestFinished, test } from 'vitest'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFakeVendor } from '../fake-vendor.ts'
import { startTestService } from '../test-service.ts'

const key = 'sk-found-0123456789'

/** A service that reaches OpenAI's own address, where only `key` is accepted. */
async function startWith(env: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-vendor-'))
  const models = { 'gpt-5-mini': {} }
  const vendor = await startFakeVendor('api.openai.com', { folder, apiKey: key, models })
  onTestFinished(async () => {
    await vendor.close()
    await rm(folder, { recursive: true })
  })
  const started = await startTestService({ service: { env: { ...env, ...vendor.env } } })
  return started.service.dashboard
}

const openai = { type: 'openai', typeName: 'OpenAI', variable: 'OPENAI_API_KEY' }

test('a vendor’s variable is offered without its key, and one step adds the provider', async () => {
  const dashboard = await startWith({ OPENAI_API_KEY: key })
  expect(dashboard.foundKeys()).toEqual([openai])

  const outcome = await dashboard.addFoundKey('openai')

  expect(outcome).toMatchObject({
    // The variable may be gone at the next start, so the key is stored.
    provider: { id: 'openai', hasKey: true, keySource: null },
    test: { ok: true, models: ['gpt-5-mini'] },
  })
  expect(JSON.stringify(outcome)).not.toContain(key)
  expect(dashboard.foundKeys()).toEqual([])
})

test('the key of a variable that Modelport reads itself stays there', async () => {
  const dashboard = await startWith({ MODELPORT_KEY_OPENAI: key })

  const { provider } = await dashboard.addFoundKey('openai')

  expect(provider?.keySource).toBe('the variable MODELPORT_KEY_OPENAI')
})

test('a refused key adds nothing and stays offered', async () => {
  const dashboard = await startWith({ OPENAI_API_KEY: 'sk-old' })

  const outcome = await dashboard.addFoundKey('openai')

  expect(outcome).toMatchObject({ provider: null, test: { problem: 'key_rejected' } })
  expect(dashboard.foundKeys()).toEqual([openai])
  await expect(dashboard.addFoundKey('mistral')).rejects.toMatchObject({ field: 'type' })
})
