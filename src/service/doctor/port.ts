/** Checks whether the endpoint's port is free, and which program uses it. */
import { readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { get } from 'node:https'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { openConnection } from '../../shared/app/open-connection.ts'
import type { Finding } from './finding.ts'

interface Question {
  dataDir: string
  port: number
  /** The service that uses the data folder now. */
  holder: { pid: number | null } | null
}

const check = 'port'
const healthMs = 3_000

/** @throws never */
export async function examinePort({ dataDir, port, holder }: Question): Promise<Finding> {
  const service = holder === null ? null : `the service${inParentheses(holder.pid)}`
  if (port === 0) return ok('The settings choose any free port.')
  if (await isFree(port)) {
    return ok(
      service === null ? `${port} is free.` : `${port} is free; ${service} was given another.`,
    )
  }
  if (service !== null && (await isOurs(port, join(dataDir, 'tls', 'ca.pem'))))
    return ok(`${port} is held by ${service} of this data folder.`)
  const owner = findOwner(port)
  const message = `${port} is used by ${owner ?? 'another program'}.`
  const wayOut = 'End that program, or choose another port: modelport settings set port NUMBER'
  return { check, status: service === null ? 'fail' : 'warn', message, wayOut }
}

function ok(message: string): Finding {
  return { check, status: 'ok', message, wayOut: null }
}

function inParentheses(pid: number | null): string {
  return pid === null ? '' : ` (process ${pid})`
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      server.close(() => resolve(true))
    })
  })
}

/** Whether the service is this folder's: only it has the certificate that completes the handshake. */
function isOurs(port: number, caFile: string): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { ca: readIfThere(caFile), timeout: healthMs, agent: false }
    const request = openConnection('ownPort', null, () =>
      get(`https://localhost:${port}/healthz`, options, (response) => {
        response.resume()
        resolve(response.statusCode === 204)
      }),
    )
    request.once('timeout', () => request.destroy())
    request.once('error', () => resolve(false))
    request.once('close', () => resolve(false))
  })
}

/** Linux only, for programs of the same user; else null. */
function findOwner(port: number): string | null {
  const socket = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => listening(file, port))[0]
  if (socket === undefined) return null
  for (const pid of entriesOf('/proc').filter((name) => /^\d+$/.test(name))) {
    const links = entriesOf(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`))
    if (!links.includes(`socket:[${socket}]`)) continue
    return `${readIfThere(`/proc/${pid}/comm`).trim()} (process ${pid})`
  }
  return null
}

const listenState = '0A'

/** Inodes of the sockets that listen on the port: the table's columns 1, 3 and 9. */
function listening(file: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0')
  return readIfThere(file)
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, address = '', , state]) => state === listenState && address.endsWith(`:${wanted}`))
    .flatMap((columns) => columns[9] ?? [])
}

/** Entries of a folder; none for processes that have ended or belong to another user. */
function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
