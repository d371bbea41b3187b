/**
 * A certificate for a foreign name, signed with our own authority. OpenSSL, Node.js and Chromium trust the authority
 * here, and refuse the certificate. Chromium trusts it by the NSS database of a new home folder.
 */
import { execFile, execFileSync } from 'node:child_process'
import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, get } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { expect, onTestFinished, test } from 'vitest'
import { row } from '../bench/row.ts'
import { makeAuthority, makeLeaf } from '../src/service/http/sockets/make-certificates.ts'
import { expectMeasured, tortureTimeoutMs } from '../test/torture/amounts.ts'

const run = promisify(execFile)
const authority = await makeAuthority(['localhost'], Date.now())
/** Localhost has the right certificate, and the other name the forged one. */
const foreign = 'bank.example'

function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'modelport-names-'))
  onTestFinished(() => rmSync(home, { recursive: true, maxRetries: 5 }))
  return home
}

/** @returns the port of a server with a certificate for these names, and a count of its requests */
async function serve(names: readonly string[]) {
  const { cert, key } = await makeLeaf(authority, [...names], Date.now())
  const served = { port: 0, requests: 0 }
  const server = createServer({ cert, key }, (_request, response) => {
    served.requests += 1
    response.end('reached')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => server.close().closeAllConnections())
  // A listening TCP server's address is an AddressInfo.
  served.port = (server.address() as AddressInfo).port
  return served
}

type Client = (name: string, port: number) => Promise<string>

/** OpenSSL's own client, with the name it connects to. */
function openssl(home: string): Client {
  const caFile = join(home, 'ca.pem')
  writeFileSync(caFile, authority.cert)
  return async (name, port) => {
    const to = ['-connect', `127.0.0.1:${port}`, '-servername', name, '-verify_hostname', name]
    const args = ['s_client', ...to, '-CAfile', caFile, '-verify_return_error', '-brief']
    const asked = run('openssl', args, { timeout: 10_000 })
    asked.child.stdin?.end('')
    const { stderr } = await asked.catch((error: { stderr: string }) => error)
    return stderr.includes('Verification: OK') ? 'trusted' : 'refused'
  }
}

const node: Client = (name, port) =>
  new Promise((resolve) => {
    const options = {
      ca: authority.cert,
      agent: false,
      lookup: (
        _name: string,
        _options: unknown,
        done: (error: null, found: LookupAddress[]) => void,
      ) => done(null, [{ address: '127.0.0.1', family: 4 }]),
    }
    get(`https://${name}:${port}/`, options, (response) => {
      response.resume()
      resolve('trusted')
    }).on('error', () => resolve('refused'))
  })

/** Chromium of the system, whose user trusts the authority. */
async function openChromium(home: string): Promise<Client> {
  const database = join(home, '.pki', 'nssdb')
  mkdirSync(database, { recursive: true })
  const caFile = join(home, 'ca.pem')
  execFileSync('certutil', ['-d', `sql:${database}`, '-N', '--empty-password'])
  const add = ['-A', '-t', 'C,,', '-n', 'Modelport', '-i', caFile]
  execFileSync('certutil', ['-d', `sql:${database}`, ...add])
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', `--host-resolver-rules=MAP ${foreign} 127.0.0.1`],
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home },
  })
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  return async (name, port) => {
    const answer = await page.goto(`https://${name}:${port}/`).catch(String)
    return typeof answer === 'string' ? (/ERR_CERT_\w+/.exec(answer)?.[0] ?? answer) : 'trusted'
  }
}

test(
  'OpenSSL, Node.js and Chromium refuse a foreign name that our own authority signed',
  { timeout: tortureTimeoutMs },
  async () => {
    const home = temporaryHome()
    const clients: Record<string, Client> = {
      OpenSSL: openssl(home),
      'Node.js': node,
      Chromium: await openChromium(home),
    }
    const good = await serve(['localhost'])
    const forged = await serve(['localhost', foreign])
    const outcomes: Record<string, string[]> = {}
    for (const [name, connect] of Object.entries(clients)) {
      outcomes[name] = [await connect('localhost', good.port), await connect(foreign, forged.port)]
    }
    const trusting = Object.values(outcomes).filter(([ours]) => ours === 'trusted')
    const refusing = Object.values(outcomes).filter(([, theirs]) => theirs !== 'trusted')
    expect(outcomes['Chromium']).toEqual(['trusted', expect.stringContaining('ERR_CERT')])
    expectMeasured([
      row('clients that trust localhost', [trusting.length, ''], { target: { atLeast: 3 } }),
      row('clients that refuse the foreign name', [refusing.length, ''], {
        target: { atLeast: 3 },
      }),
      row('requests behind it', [forged.requests, ''], { target: { atMost: 0 } }),
    ])
  },
)
