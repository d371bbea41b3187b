/** Signing in to servers over HTTP: asked for, checked, stored as a secret, and used again. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DashboardError } from '../../src/service/dashboard/dashboard.ts'
import { startHttpServer, type HttpServer } from './http-server.ts'
import { openServers } from './open-servers.ts'

const page = 'You are signed in.'
const pages = { done: page, refused: 'You are not signed in.' }

/** A browser that follows the sign-in to its end. @param change  what happens to the address on the way back */
function browser(change: (back: URL) => void = () => {}) {
  return async (address: URL) => {
    const { headers } = await fetch(address, { redirect: 'manual' })
    const back = new URL(headers.get('location') ?? '')
    change(back)
    expect(await (await fetch(back)).text()).toBe(page)
  }
}

async function addServer({ url }: HttpServer) {
  const opened = await openServers()
  const { servers } = opened
  const config = { kind: 'http' as const, url, secretNames: [] }
  const added = await servers.add({ name: 'Web', config, secrets: {} })
  return { ...opened, listed: await servers.consent(added.id, added.identity), id: added.id }
}

test('a server that wants a sign-in says so, opens no browser, and works after it', async () => {
  const http = await startHttpServer()
  const { servers, listed, id, dataDir } = await addServer(http)
  expect(listed).toMatchObject({ state: 'sign_in', tools: [] })
  expect(http.asked.filter((path) => path !== '/mcp')).toEqual([])

  const signedIn = await servers.signIn(id, { openBrowser: browser(), pages })

  expect(signedIn).toMatchObject({ state: 'running', problem: null, tools: [{ name: 'whoami' }] })
  await servers.approve(id, { whoami: signedIn.tools[0]?.seal ?? '' })
  const [tool] = await servers.usableTools()
  const signal = new AbortController().signal
  expect(tool && (await servers.callTool(tool, {}, { signal }))).toEqual({
    outcome: 'done',
    text: page,
  })
  expect(http.asked.filter((path) => path === '/authorize')).toHaveLength(1)
  for (const file of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue
    const text = readFileSync(`${file.parentPath}/${file.name}`)
    expect([file.name, text.includes('access-token-of-the-test')]).toEqual([file.name, false])
  }
})

test('a return with another state is refused', async () => {
  const http = await startHttpServer()
  const { servers, id } = await addServer(http)
  const foreign = browser((back) => back.searchParams.set('state', 'of someone else'))
  expect(await servers.signIn(id, { openBrowser: foreign, pages })).toMatchObject({
    state: 'sign_in',
    problem: expect.stringContaining('not the one'),
  })
  expect(http.asked).not.toContain('/token')
  expect((await servers.list())[0]?.state).toBe('sign_in')
})

test('a sign-in that is denied says so in the browser and in the list', async () => {
  const http = await startHttpServer()
  const { servers, id } = await addServer(http)
  const denied = async (address: URL) => {
    const back = new URL(address.searchParams.get('redirect_uri') ?? '')
    expect((await fetch(back)).status).toBe(404)
    back.searchParams.set('error', 'access_denied')
    back.searchParams.set('state', address.searchParams.get('state') ?? '')
    expect(await (await fetch(back)).text()).toBe(pages.refused)
  }
  const listed = await servers.signIn(id, { openBrowser: denied, pages })
  expect(listed).toMatchObject({ state: 'sign_in', problem: expect.stringContaining('denied') })
  expect(http.asked).not.toContain('/token')
})

test('stored tokens are used until the server refuses them; then it asks for a sign-in', async () => {
  const http = await startHttpServer()
  const { servers, id } = await addServer(http)
  await servers.signIn(id, { openBrowser: browser(), pages })
  await servers.close()
  expect(await servers.refresh(id)).toMatchObject({ state: 'running' })

  await servers.close()
  http.forgetTokens()
  expect(await servers.refresh(id)).toMatchObject({ state: 'sign_in' })
  expect(http.asked.filter((path) => path === '/authorize')).toHaveLength(1)
})

test('a server that was not consented to is not asked', async () => {
  const http = await startHttpServer()
  const { servers } = await openServers()
  const config = { kind: 'http' as const, url: http.url, secretNames: [] }
  const { id } = await servers.add({ name: 'Web', config, secrets: {} })
  await expect(servers.signIn(id, { openBrowser: browser(), pages })).rejects.toThrow('consent')
  expect(http.asked).toEqual([])
})

test('an address that the user does not open ends the sign-in', async () => {
  const http = await startHttpServer()
  const { servers, id } = await addServer(http)
  const closed = () => Promise.reject(new DashboardError('conflict', 'not opened'))
  await expect(servers.signIn(id, { openBrowser: closed, pages })).rejects.toThrow('not opened')
  expect(http.asked).not.toContain('/token')
})
