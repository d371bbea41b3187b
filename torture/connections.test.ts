/** Nothing leaves unasked: every packet of a day is recorded, and of each connection while it is on and while it is off. */
import { join } from 'node:path'
import { execPath } from 'node:process'
import { expect, test } from 'vitest'
import { row } from '../bench/row.ts'
import {
  connections,
  switchableConnections,
  type ConnectionId,
} from '../src/shared/app/connections.ts'
import { amount, expectMeasured, tortureTimeoutMs } from '../test/torture/amounts.ts'
import { outside, record, type Recorded } from './connections/recorded.ts'

const program = (name: string) => join(import.meta.dirname, 'connections', name)
const hours = amount({ quick: 1, full: 24 })
const none = { target: { atMost: 0 } }

function everything({ parts }: Recorded) {
  const all = [...parts.values()]
  return [...all.flatMap(({ questions }) => questions), ...all.flatMap(outside)]
}

test(
  'a day of the service with every default sends no packet and asks no name server',
  async () => {
    const command = [execPath, program('service-day.ts'), String(hours)]
    const recorded = await record(command, { network: 'open' })
    const sent = everything(recorded)

    expect(recorded.code).toBe(0)
    expect(JSON.parse(recorded.output)).toMatchObject({ statuses: [200, 200, 200], code: 0 })
    expectMeasured(
      [
        row('service: hours of its clock', [hours, '']),
        row('service: packets and questions', [sent.length, ''], none),
      ],
      sent,
    )
  },
  tortureTimeoutMs,
)

test(
  'a day of the desktop app with every default sends no packet and asks no name server',
  async () => {
    const command = [execPath, join(import.meta.dirname, '../scripts/e2e.mjs'), 'e2e/day.spec.ts']
    const env = { MODELPORT_E2E_DAY_HOURS: String(hours) }
    const recorded = await record(command, { network: 'open', env })
    const sent = everything(recorded)

    expect(recorded.code).toBe(0)
    expectMeasured(
      [
        row('desktop: hours of its clock', [hours, '']),
        row('desktop: packets and questions', [sent.length, ''], none),
      ],
      sent,
    )
  },
  tortureTimeoutMs,
)

test(
  'without a route, the built-in model answers, and what needs another computer says so',
  async () => {
    const recorded = await record([execPath, program('service-day.ts'), '0'], {
      network: 'closed',
    })

    expect(JSON.parse(recorded.output)).toMatchObject({
      statuses: [200, 200, 200],
      told: {
        catalog: expect.stringMatching(/(githubusercontent\.com|models\.dev) cannot be reached/),
        download: expect.stringContaining('huggingface.co cannot be reached'),
      },
    })
    expectMeasured([row('without a route: answers of the built-in model', [3, ''])])
  },
  tortureTimeoutMs,
)

/** What each connection may ask for in the run of switches.ts, as the table lists it or as its user named it. */
const expected: Partial<Record<ConnectionId, RegExp>> = {
  providers: /^api\.openai\.com:443$/,
  alertWebhook: /^hooks\.example\.com:443$/,
  proxy: /^proxy\.example\.com:3128$/,
  valkey: /^valkey\.example\.com:6379$/,
  postgres: /^postgres\.example\.com:5432$/,
  telemetry: /^collector\.example\.com:4318$/,
}

function isListed(id: ConnectionId, address: string): boolean {
  const named = expected[id]
  if (named !== undefined) return named.test(address)
  const hosts: readonly string[] = connections[id].hosts
  const host = address.replace(/:\d+$/, '')
  return hosts.some((one) =>
    one.startsWith('*.') ? host.endsWith(one.slice(1)) : one === address || one === host,
  )
}

test(
  'each connection that is on reaches its listed addresses and no others; switched off, none',
  async () => {
    const recorded = await record([execPath, program('switches.ts')], { network: 'open' })
    expect(recorded.code).toBe(0)
    const told = recorded.output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { name: string; told: unknown })
    const used = (name: string) => recorded.parts.get(name) ?? { questions: [], addresses: [] }
    const idsOn = [...switchableConnections, 'proxy', 'valkey', 'postgres', 'telemetry'] as const
    const ids = idsOn.filter((id) => id !== 'updates')

    const unlisted = ids.flatMap((id) => {
      const { addresses, questions } = used(`${id} on`)
      // Searched servers are on this computer; of all others only what leaves it counts.
      const reached = id === 'localServers' ? addresses.filter(isSearched) : outside({ addresses })
      const wrong = reached.filter((address) => !isListed(id, address))
      // A proxy’s target is looked up here as well, so that a name of this network is refused.
      const ofTarget = (name: string) => id === 'proxy' && isListed('catalog', `${name}:443`)
      const asked = questions.filter((name) => !isListedName(id, name) && !ofTarget(name))
      return [...wrong, ...asked, ...(reached.length === 0 ? [`${id}: nothing`] : [])]
    })
    const off = switchableConnections.filter((id) => id !== 'updates').map((id) => `${id} off`)
    const whileOff = [...off, 'all off', 'ownPort on'].flatMap((name) => [
      ...outside(used(name)),
      ...used(name).questions,
    ])
    const untold = off.filter(
      (name) =>
        !JSON.stringify(told.find((one) => one.name === name)?.told).includes('switched off'),
    )

    expectMeasured(
      [
        row('connections used while on', [ids.length, '']),
        row('addresses that are not listed', [unlisted.length, ''], none),
        row('packets and questions while off', [whileOff.length, ''], none),
        row('refusals that do not say so', [untold.length, ''], none),
      ],
      [...unlisted, ...whileOff, ...untold],
    )
    expect(used('localServers on').addresses.filter(isSearched).toSorted()).toEqual(
      [...connections.localServers.hosts].toSorted(),
    )
  },
  tortureTimeoutMs,
)

/** Of this computer's addresses, those of model servers: the service itself listens on another. */
function isSearched(address: string): boolean {
  return isListed('localServers', address)
}

function isListedName(id: ConnectionId, name: string): boolean {
  return [443, 80, 3128, 6379, 5432, 4318].some((port) => isListed(id, `${name}:${port}`))
}
