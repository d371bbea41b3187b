/**
 * The cost that the service adds to a request, compared in the same run with a bare Node pass-through over TLS and
 * with Portkey's gateway. Everything is on: TLS keep-alive, key check, routing, daily limit, ledger. The sides take
 * turns for five rounds at 1, 16, 32 and 64 connections, and medians are compared, so that one noisy round does not
 * matter. Portkey runs on two Nodes: the one it is shipped with, which the peer study measured and the target refers
 * to, and this project's, which shows the share that Node has in the difference.
 */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadWith, type Load, type Target } from './load.ts'
import { median, quantile } from './quantile.ts'
import { row } from './row.ts'
import type { Bound, Measurement } from './measurement.ts'
import { installShippedNode, shippedNodeVersion } from './servers/install-node.ts'
import { portkeyVersion } from './servers/install-portkey.ts'
import { startServer, stop } from './servers/start.ts'
import {
  openOwnWorkspace,
  startBare,
  startModelport,
  startPortkey,
  type ModelportOptions,
} from './targets.ts'

const rounds = 5
const roundMs = 1_500
const warmUpMs = 2_000
const connectionCounts = [1, 16, 32, 64] as const
type Connections = (typeof connectionCounts)[number]

const sides = ['bare', 'modelport', 'portkeyAsShipped', 'portkeyOnOurNode'] as const
type Side = (typeof sides)[number]

const nameOf: Record<Side, string> = {
  bare: 'bare pass-through',
  modelport: 'modelport',
  portkeyAsShipped: `Portkey ${portkeyVersion} on Node ${shippedNodeVersion}`,
  portkeyOnOurNode: `Portkey ${portkeyVersion} on Node ${process.versions.node}`,
}

/** The service with one difference, at 16 connections only, to show its effect. */
const variants = {
  withoutFastLane: { settings: { fastLane: false } },
  strict: { settings: { durability: 'strict' } },
  /** Callers use OpenAI's form, and the upstream Anthropic's. */
  translated: { upstreamType: 'anthropic' },
  /** Callers and the upstream use Anthropic's form. */
  messages: { upstreamType: 'anthropic', form: 'messages' },
} as const satisfies Record<string, ModelportOptions>
type Variant = keyof typeof variants
const variantNames = [
  'withoutFastLane',
  'strict',
  'translated',
  'messages',
] as const satisfies Variant[]

type Round = Record<Connections, Record<Side, Load>> & { variants: Record<Variant, Load> }

export async function run(): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-bench-'))
  const upstream = await startServer('upstream.ts')
  const upstreamUrl = `http://127.0.0.1:${upstream.port}`
  const started = {
    bare: await startBare(upstreamUrl),
    modelport: await startModelport(folder, upstreamUrl),
    portkeyAsShipped: await startPortkey(upstreamUrl, await installShippedNode()),
    portkeyOnOurNode: await startPortkey(upstreamUrl, process.execPath),
  }
  const startedVariants = {
    withoutFastLane: await startVariant('withoutFastLane', upstreamUrl),
    strict: await startVariant('strict', upstreamUrl),
    translated: await startVariant('translated', upstreamUrl),
    messages: await startVariant('messages', upstreamUrl),
  }
  const all = { ...started, ...startedVariants }
  const warmUp = await measureRound(all, warmUpMs, sides)
  const measured: Round[] = []
  for (let number = 1; number <= rounds; number += 1) {
    // The order changes, so that no side always gets the busier machine.
    const order = number % 2 === 0 ? sides : sides.toReversed()
    const round = await measureRound(all, roundMs, order)
    printRound(number, round)
    measured.push(round)
  }
  const memoryMib = residentMib(started.modelport.target.pid)
  for (const { child } of Object.values(all)) await stop(child)
  await stop(upstream.child)
  const rowsPerAnswer = (await countLedger(folder)) / countAnswers([warmUp, ...measured])
  for (const { folder: each } of Object.values(startedVariants)) await rm(each, { recursive: true })
  await rm(folder, { recursive: true })
  return [
    ...compare(measured),
    row('resident memory after the load', [memoryMib, 'MiB'], {
      target: { atMost: 350 },
      goal: { atMost: 200 },
    }),
    row('ledger rows per answer', [rowsPerAnswer, ''], { target: { atLeast: 1 } }),
  ]
}

async function startVariant(variant: Variant, upstreamUrl: string) {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-bench-'))
  return { ...(await startModelport(folder, upstreamUrl, variants[variant])), folder }
}

async function measureRound(
  started: Record<Side | Variant, { target: Target }>,
  durationMs: number,
  order: readonly Side[],
): Promise<Round> {
  const measure = async (connections: number) => {
    const loads: Partial<Record<Side, Load>> = {}
    for (const side of order) {
      loads[side] = await loadWith(started[side].target, connections, durationMs)
    }
    // Every side is in `order`.
    return loads as Record<Side, Load>
  }
  const variantLoads: Partial<Record<Variant, Load>> = {}
  const at16 = await measure(16)
  for (const variant of variantNames) {
    variantLoads[variant] = await loadWith(started[variant].target, 16, durationMs)
  }
  return {
    1: await measure(1),
    16: at16,
    // Every variant was measured.
    variants: variantLoads as Record<Variant, Load>,
    32: await measure(32),
    64: await measure(64),
  }
}

type Figure = (load: Load) => number
const p50: Figure = ({ latenciesMs }) => median(latenciesMs)
const p99: Figure = ({ latenciesMs }) => quantile(latenciesMs, 0.99)
const rate: Figure = ({ requestsPerSecond }) => requestsPerSecond
const cpu: Figure = ({ cpuUsPerRequest }) => cpuUsPerRequest ?? Number.NaN

/** The targets come from this project's study of its peers' performance. */
function compare(measured: readonly Round[]): Measurement[] {
  const of = (side: Side, figure: Figure) => median(measured.map((round) => figure(round[1][side])))
  const added = (figure: Figure) => of('modelport', figure) - of('bare', figure)
  const ratio = (connections: Connections, side: Side, figure: Figure) =>
    medianRatio(measured, connections, (at) => figure(at.modelport) / figure(at[side]))
  return [
    ...sides.map((side) => row(`p50, ${nameOf[side]}`, [of(side, p50), 'ms'])),
    row('p50, added', [added(p50), 'ms'], {
      target: { atMost: 0.2 },
      goal: { atMost: 0.03 },
    }),
    row('p99, added', [added(p99), 'ms'], {
      target: { atMost: 0.6 },
      goal: { atMost: 0.3 },
    }),
    ...connectionCounts.map((count) =>
      row(
        `requests/s at ${count}, share of bare`,
        [ratio(count, 'bare', rate) * 100, '%'],
        count === 1 ? {} : { target: { atLeast: 42 }, goal: { atLeast: 70 } },
      ),
    ),
    ...comparePortkey(measured, 'portkeyAsShipped', {
      target: { atLeast: 0.42 },
      goal: { atLeast: 0.7 },
    }),
    ...comparePortkey(measured, 'portkeyOnOurNode', {}),
    ...compareVariants(measured),
    row('processor time at 16, multiple of bare', [ratio(16, 'bare', cpu), 'x'], {
      target: { atMost: 2.5 },
      goal: { atMost: 1.4 },
    }),
  ]
}

/**
 * Compares with Portkey. Our bound is the bare pass-through's multiple, the upper limit for a Node process that does
 * more.
 */
function comparePortkey(
  measured: readonly Round[],
  portkey: 'portkeyAsShipped' | 'portkeyOnOurNode',
  bound: { target?: Bound; goal?: Bound },
): Measurement[] {
  return connectionCounts.flatMap((count) => {
    const multiple = (side: Side) =>
      medianRatio(measured, count, (at) => rate(at[side]) / rate(at[portkey]))
    const what = `requests/s at ${count}, multiple of ${nameOf[portkey]}`
    const ours = multiple('modelport')
    const bare = multiple('bare')
    return [
      { ...row(what, [ours, 'x']), baseline: { what: 'bare', value: bare } },
      ...(bound.target && count > 1
        ? [row(`the same at ${count}, as a share of the bare's`, [ours / bare, ''], bound)]
        : []),
    ]
  })
}

/** The fast lane stays only if it gives at least a fifth more requests. */
function compareVariants(measured: readonly Round[]): Measurement[] {
  const share = (variant: Variant, figure: Figure) =>
    median(measured.map((round) => figure(round.variants[variant]) / figure(round[16].modelport)))
  return [
    row(
      'requests/s at 16, with the fast lane, multiple of without',
      [1 / share('withoutFastLane', rate), 'x'],
      {
        target: { atLeast: 1.2 },
      },
    ),
    row('processor time at 16 without the fast lane, multiple', [
      share('withoutFastLane', cpu),
      'x',
    ]),
    row('requests/s at 16 with strict durability, share', [share('strict', rate) * 100, '%']),
    row('processor time at 16 with strict durability, multiple', [share('strict', cpu), 'x']),
    row('requests/s at 16, translated to Anthropic, share', [share('translated', rate) * 100, '%']),
    row('processor time at 16, translated to Anthropic, multiple', [share('translated', cpu), 'x']),
    row('requests/s at 16, Anthropic in and out, share', [share('messages', rate) * 100, '%']),
    row('processor time at 16, Anthropic in and out, multiple', [share('messages', cpu), 'x']),
  ]
}

/** The median of the ratios within a round, whose two sides were measured within seconds. */
function medianRatio(
  measured: readonly Round[],
  connections: Connections,
  ratioOf: (at: Record<Side, Load>) => number,
): number {
  return median(measured.map((round) => ratioOf(round[connections])))
}

const labelWidth = Math.max(...sides.map((side) => nameOf[side].length))

function printRound(number: number, round: Round): void {
  for (const side of sides) {
    const latency = `p50 ${p50(round[1][side]).toFixed(3)} ms  p99 ${p99(round[1][side]).toFixed(3)} ms`
    const rates = connectionCounts.map((count) => rate(round[count][side]).toFixed(0)).join(' / ')
    const at = connectionCounts.join(' / ')
    process.stdout.write(
      `round ${number}  ${nameOf[side].padEnd(labelWidth)}  ${latency}  ${rates} requests/s at ${at}, ${cpu(round[16][side]).toFixed(0)} µs of processor each\n`,
    )
  }
}

async function countLedger(dataDir: string): Promise<number> {
  const workspace = await openOwnWorkspace(dataDir)
  const rows = await workspace.storage.ledger.usage({ sinceMs: 0, group: 'router' })
  await workspace.close()
  return rows.reduce((count, { requests }) => count + requests, 0)
}

function countAnswers(measured: readonly Round[]): number {
  return measured.reduce(
    (count, round) =>
      connectionCounts.reduce((sum, at) => sum + round[at].modelport.latenciesMs.length, count),
    0,
  )
}

/** Resident memory in MiB as the system reports it; NaN if it does not. */
function residentMib(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  const kib = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kib) / 1024
}
