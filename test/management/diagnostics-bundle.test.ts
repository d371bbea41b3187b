/** The diagnostics bundle says what a supporter needs, and nothing about the sender. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createScrubber, replaceOtherPaths } from '../../src/service/doctor/bundle/scrub.ts'
import { errorReply } from '../fake-provider.ts'
import { temporaryFolder } from '../storage/temporary-folder.ts'
import { startTestService } from '../test-service.ts'

const canary = 'cn7q1xk9'

test('after 1,000 requests with canaries, none is in the bundle', async () => {
  const reply = errorReply(500, { message: `upstream ${canary}` })
  const env = {
    MODELPORT_SHARED_URL: `valkey://${canary}cache:1`,
    OPENAI_API_KEY_FILE: `/run/secrets/${canary}merger`,
  }
  const running = await startTestService({
    models: { fine: {}, down: { reply } },
    service: { cacheDir: temporaryFolder(), env },
  })
  const { dashboard, diagnostics } = running.service
  await dashboard.addProvider({
    id: `${canary}-company`,
    type: 'openai-compatible',
    baseUrl: `https://${canary}.example/v1`,
    apiKey: `sk-${canary}-key`,
  })
  await dashboard.setSetting('allowedOrigins', [`https://${canary}.example`])
  await dashboard.setSetting('alertWebhook', `https://${canary}.example/hook`)
  await dashboard.createRouter({
    name: canary,
    strategy: 'priority',
    models: ['fake:down', 'local:smollm2-135m-instruct'],
  })
  const { key } = await dashboard.createApiKey({
    name: `${canary}merger`,
    routers: 'all',
    tag: canary,
  })
  const headers = {
    authorization: `Bearer ${key}`,
    'x-modelport-tag': canary,
    'user-agent': canary,
  }
  const body = { messages: [{ role: 'user', content: `prompt ${canary}` }] }
  for (let batch = 0; batch < 20; batch += 1) {
    const requests = Array.from({ length: 50 }, async (_, index) => {
      // Ten of the first batch, because a failure of the only model is tried again after a wait.
      const model = batch === 0 && index < 10 ? 'fake:down' : 'fake:fine'
      await (await running.post('chat/completions', { ...body, model }, { headers })).text()
    })
    await Promise.all(requests)
  }
  const line = {
    level: 30,
    time: 0,
    what: 'web origin refused',
    origin: `https://${canary}.example`,
  }
  appendFileSync(join(running.dataDir, 'logs', 'modelport.log'), `${JSON.stringify(line)}\n`)
  await running.ledger(1_000)

  // The finding of the provider above then names the proxy.
  await dashboard.setSetting('outboundProxy', `http://${canary}:3128`)
  // Last, because the client trusts only the first authority.
  await dashboard.setSetting('allowedHosts', [`${canary}.example`])

  const text = await diagnostics.bundle()

  expect(text).not.toContain(canary)
  expect(text).not.toContain(key)
  expect(text).not.toContain(running.dataDir)
  expect(text).toMatch(/outcomes: .*200 × 990/)
  expect(text).toContain('allowedHosts: 1 entries (changed)')
  expect(text).toContain('web origin refused')
  expect(text).toContain('the proxy (host):3128')
  expect(text).toContain('a provider failed')
})

const scrub = createScrubber({
  dataDir: '/home/ada/.config/Modelport',
  home: '/home/ada',
  userName: 'ada',
  hostName: 'analytical',
  publicHosts: new Set(['api.openai.com']),
  privateHosts: ['nas', 'squid', 'localhost', 'fd00::7'],
  privatePaths: ['/srv/acme/secret.gguf'],
})
const scrubJosé = createScrubber({
  dataDir: '/home/josé/My data',
  home: '/home/josé',
  userName: 'jo',
  hostName: 'pc',
  publicHosts: new Set(),
  privateHosts: [],
  privatePaths: [],
})

test.each([
  ['/home/ada/.config/Modelport/modelport.db is full', '(data folder)/modelport.db is full'],
  ['at file:///home/ada/src/main.js:3:4', 'at file://~/src/main.js:3:4'],
  ['ada on analytical, not adamant', '(user) on (computer), not adamant'],
  ['mp_0123456789 and sk-proj-abcdefghijkl', '(key) and (key)'],
  [`token ${'a1'.repeat(20)}`, 'token (removed)'],
  ['019a0b4c-7e2d-7c3a-9f00-aabbccddeeff', '019a0b4c-7e2d-7c3a-9f00-aabbccddeeff'],
  ['ada@example.org', '(email)'],
  ['the proxy proxy.corp.example:3128', 'the proxy (host):3128'],
  ['https://api.openai.com/v1', 'https://api.openai.com/v1'],
  ['at 192.168.4.7 and 127.0.0.1', 'at (address) and 127.0.0.1'],
  ['Modelport 0.1.0 with gpt-4.1', 'Modelport 0.1.0 with gpt-4.1'],
  ['http://nas:11434/v1 of ada.', 'http://(host):11434/v1 of (user).'],
  [
    'http://me:secret@cellar:3128 and http://localhost:1',
    'http://(host):3128 and http://localhost:1',
  ],
  ['the proxy squid:3128 of HTTPS_PROXY', 'the proxy (host):3128 of HTTPS_PROXY'],
  ['ECONNREFUSED fd00::1:443, ::1 and fe80::1%eth0', 'ECONNREFUSED (address), ::1 and (address)'],
  ['2001:db8:1:2:3:4:5:6:443 at 21:23:00', '(address):443 at 21:23:00'],
  ['::ffff:192.168.4.7', '(address)'],
  ['AIzaSyA1234567890 and a1b2c3d4e5f6a7b8c9d0', '(key) and (removed)'],
  [
    'claude-sonnet-4-20250514, smollm2-135m-instruct',
    'claude-sonnet-4-20250514, smollm2-135m-instruct',
  ],
  ['Its file is /srv/acme/secret.gguf.', 'Its file is (file).'],
])('%s is shown as %s', (text, shown) => {
  expect(scrub(text)).toBe(shown)
})

test.each([
  ['at file:///home/jos%C3%A9/src/main.js:3:4', 'at file://~/src/main.js:3:4'],
  ['/home/jose\u0301/a.js', '~/a.js'],
  ['file:///home/jos%C3%A9/My%20data/modelport.db', 'file://(data folder)/modelport.db'],
  ['jo on pc, not joint', '(user) on (computer), not joint'],
])('percent-encoded and short names: %s is shown as %s', (text, shown) => {
  expect(scrubJosé(text)).toBe(shown)
})

test.each([
  [
    'Only you can read /home/josé/My data/modelport.db.',
    'Only you can read (data folder)/modelport.db.',
  ],
  ['The file /run/secrets/acme is empty.', 'The file (file) is empty.'],
  ['POST /v1/chat/completions answered 404', 'POST /v1/chat/completions answered 404'],
])('a check says %s', (message, shown) => {
  expect(replaceOtherPaths(scrubJosé(message))).toBe(shown)
})
