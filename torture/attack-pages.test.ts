/**
 * Web pages that attack the service, in Chromium: each way in which a page can send a request, to the service's address
 * and to a name that leads to it (DNS rebinding), with the certificate checked and with its errors ignored.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { expect, onTestFinished, test } from 'vitest'
import { row } from '../bench/row.ts'
import { startTestService, type TestService } from '../test/test-service.ts'
import { expectMeasured, tortureTimeoutMs } from '../test/torture/amounts.ts'

const evilHost = 'evil.test'
/** The page of attacks; its script has twelve functions in `attacks`. */
const attackPage = readFileSync(join(import.meta.dirname, 'attack-page.html'))
/** How long an attack may wait for an answer that never comes. */
const attackMs = 3_000

interface Attacked {
  /** `https://…` of the service. */
  origin: string
  routerId: string
  /** A page that knows the key may still not use it. */
  apiKey: string
}

/** The page of another site, over plain HTTP, at a name that leads to this computer. */
async function serveEvilPage(): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(attackPage)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => server.close().closeAllConnections())
  // A listening TCP server's address is an AddressInfo.
  return `http://${evilHost}:${(server.address() as AddressInfo).port}/`
}

interface Seen {
  /** Answers of the service with a header that lets a page read them. */
  allowing: string[]
  requests: number
}

async function openPage(ignoresCertificate: boolean): Promise<{ page: Page; seen: Seen }> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      `--host-resolver-rules=MAP ${evilHost} 127.0.0.1`,
      // Without it Chromium itself stops pages of a public site, which other browsers do not.
      '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests',
    ],
  })
  onTestFinished(() => browser.close())
  const context = await browser.newContext({ ignoreHTTPSErrors: ignoresCertificate })
  const page = await context.newPage()
  const seen: Seen = { allowing: [], requests: 0 }
  page.on('response', (response) => {
    if (!response.url().includes('/api/router/')) return
    seen.requests += 1
    const { 'access-control-allow-origin': allowed } = response.headers()
    if (allowed !== undefined) seen.allowing.push(response.url())
  })
  await page.goto(await serveEvilPage())
  return { page, seen }
}

/** @returns the texts that the page could read */
async function attackAll(page: Page, attacked: Attacked): Promise<string[]> {
  const read: string[] = []
  for (const name of await attackNames(page)) {
    const call = `attacks[${JSON.stringify(name)}](${JSON.stringify(attacked)})`
    const text = await Promise.race([
      page.evaluate<string>(call).catch(() => ''),
      pause(attackMs, '', { ref: false }),
    ])
    if (text !== '') read.push(`${name}: ${text.slice(0, 200)}`)
  }
  return read
}

function attackNames(page: Page): Promise<string[]> {
  return page.evaluate<string[]>('Object.keys(attacks)')
}

/** Reached at its own address, and at a name that leads there. */
function targetsOf({ origin }: TestService): string[] {
  const { port } = new URL(origin)
  return [`https://127.0.0.1:${port}`, `https://localhost:${port}`, `https://${evilHost}:${port}`]
}

test(
  'no web page gets a request to a model or an answer',
  { timeout: tortureTimeoutMs },
  async () => {
    const running = await startTestService()
    const { routerId, apiKey, fake, service } = running
    const read: string[] = []
    const allowing: string[] = []
    let requests = 0
    let attacks = 0
    for (const ignoresCertificate of [true, false]) {
      const { page, seen } = await openPage(ignoresCertificate)
      attacks = (await attackNames(page)).length
      for (const origin of targetsOf(running)) {
        const attacked = { origin, routerId, apiKey }
        // The attacks of the next target need a page without the frames of these.
        read.push(...(await attackAll(page, attacked)))
        await page.reload()
      }
      allowing.push(...seen.allowing)
      requests += seen.requests
    }
    // With certificate errors ignored, requests do reach the service, and it refuses them.
    expect(requests).toBeGreaterThan(0)
    expect(read).toEqual([])
    const rows = await service.usage.requests({ limit: 10 })
    expectMeasured([
      row('attacks', [attacks, ''], { target: { atLeast: 12 } }),
      row('targets', [6, '']),
      row('requests that reached the service', [requests, '']),
      row('requests to the model', [fake.requestCount(), ''], { target: { atMost: 0 } }),
      row('ledger rows', [rows.length, ''], { target: { atMost: 0 } }),
      row('readable answers', [read.length, ''], { target: { atMost: 0 } }),
      row('answers that allow an origin', [allowing.length, ''], { target: { atMost: 0 } }),
    ])
  },
)
