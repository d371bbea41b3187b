/** Files that a tool changed after Modelport wrote them, and what connections say of the router's models. */
import { mkdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse as parseJson } from 'jsonc-parser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConnectActions } from '../../src/service/dashboard/connect-actions.ts'
import { temporaryFolder } from '../storage/temporary-folder.ts'
import { startTestService, type TestService } from '../test-service.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

let running: TestService
let connect: ConnectActions
const home = temporaryFolder(afterAll)
const claudeSettings = join(home, '.claude', 'settings.json')
const mine = '{\n  // mine\n  "theme": "dark",\n  "env": { "ANTHROPIC_API_KEY": "sk" }\n}\n'

const atEnd = endOfGroup()
beforeAll(async () => {
  mkdirSync(join(home, '.claude'))
  running = await startTestService(
    { service: { home: { dir: home, platform: 'linux', env: {} } } },
    atEnd,
  )
  connect = running.service.dashboard.connect
})

const start = () => connect.connect({ toolId: 'claude-code', routerId: running.routerId })

async function keyState(id: string): Promise<'active' | 'revoked'> {
  const keys = await running.service.dashboard.apiKeys()
  return keys.find((key) => key.id === id)?.revokedAtMs === null ? 'active' : 'revoked'
}

test('tells opencode and Codex how much the router’s models take', async () => {
  const model = { inputUsdPerMtok: 1, outputUsdPerMtok: 2, capabilities: ['tools' as const] }
  const add = (name: string, limits: object) =>
    running.service.dashboard.saveModel({ id: `fake:${name}`, ...model, ...limits })
  await add('long', { contextTokens: 300_000, maxOutputTokens: 64_000 })
  await add('short', { contextTokens: 100_000, maxOutputTokens: 16_000 })
  const models = ['fake:long', 'fake:short']
  const router = await running.service.dashboard.createRouter({
    name: 'Limits',
    models,
    strategy: 'priority',
    tier: 'pro',
  })
  const shown = async (toolId: string) =>
    (await connect.connect({ toolId, routerId: router.id })).snippets.map(({ text }) => text).join()

  expect(await shown('codex')).toContain('model_context_window = 300000')
  expect((await shown('opencode')).replaceAll(/\s/g, '')).toContain(
    '"limit":{"context":300000,"output":16000}',
  )
})

test('undo takes its values out of a file that the tool changed since, and its own settings stay', async () => {
  await writeFile(claudeSettings, mine)
  const { id, key } = await start()
  await connect.write(id)
  const written = parseJson(await readFile(claudeSettings, 'utf8'))
  await writeFile(claudeSettings, JSON.stringify({ ...written, theme: 'light', seen: true }))

  await connect.undo('claude-code')

  const restored = await readFile(claudeSettings, 'utf8')
  expect(restored).not.toContain(key)
  expect(parseJson(restored)).toEqual({ ...parseJson(mine), theme: 'light', seen: true })
  expect(await keyState(id)).toBe('revoked')
})

test('undo after a second write also takes the first values out, although the tool changed the file', async () => {
  await writeFile(claudeSettings, mine)
  const first = await start()
  await connect.write(first.id)
  const written = parseJson(await readFile(claudeSettings, 'utf8'))
  await writeFile(claudeSettings, JSON.stringify({ ...written, seen: true }))
  const second = await start()
  await connect.write(second.id)

  await connect.undo('claude-code')

  const restored = await readFile(claudeSettings, 'utf8')
  expect(parseJson(restored)).toEqual({ ...parseJson(mine), seen: true })
})
