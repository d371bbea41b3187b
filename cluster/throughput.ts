/** Measures the most requests per second that servers answer, and the processor time of each process per request. */
import { readFileSync } from 'node:fs'
import { loadWith, type Target } from '../bench/load.ts'
import { median } from '../bench/quantile.ts'
import type { ProcessorGroup } from './processor-group.ts'

export interface Throughput {
  requestsPerSecond: number
  p50Ms: number
  /** Processor time in µs per answer, by the name of the group. */
  cpuUs: Readonly<Record<string, number>>
  /** Cores in use on average, by the name of the group. */
  cores: Readonly<Record<string, number>>
  /** Cores in use by this process, which sends the requests. */
  loadCores: number
  /** The part of the whole computer that was in use. */
  computerShare: number
}

interface ThroughputOptions {
  /** Targets that share the connections evenly, without a balancer between: its processor time is not theirs. */
  targets: readonly Target[]
  /** Connections of each target: enough that it always has a request to work on. */
  connections: number
  durationMs: number
  groups: readonly ProcessorGroup[]
}

/** @throws Error when an answer is not a 200 with the target's marker */
export async function measureThroughput(options: ThroughputOptions): Promise<Throughput> {
  const { targets, connections, durationMs, groups } = options
  const before = readUse(groups)
  const loads = await Promise.all(
    targets.map((target) => loadWith(target, connections, durationMs)),
  )
  const after = readUse(groups)
  const seconds = (after.atMs - before.atMs) / 1_000
  const answers = loads.reduce((sum, { latenciesMs }) => sum + latenciesMs.length, 0)
  const usedUs = (name: string) => (after.groupsUs[name] ?? NaN) - (before.groupsUs[name] ?? NaN)
  const ofGroups = (figure: (us: number) => number) =>
    Object.fromEntries(groups.map(({ name }) => [name, figure(usedUs(name))]))
  const busy = after.computer.busy - before.computer.busy
  return {
    requestsPerSecond: loads.reduce((sum, load) => sum + load.requestsPerSecond, 0),
    p50Ms: median(loads.flatMap(({ latenciesMs }) => latenciesMs)),
    cpuUs: ofGroups((us) => us / answers),
    cores: ofGroups((us) => us / seconds / 1e6),
    loadCores: (after.ownUs - before.ownUs) / seconds / 1e6,
    computerShare: busy / (busy + after.computer.idle - before.computer.idle),
  }
}

function readUse(groups: readonly ProcessorGroup[]) {
  const own = process.cpuUsage()
  return {
    atMs: performance.now(),
    groupsUs: Object.fromEntries(groups.map((group) => [group.name, group.usedUs()])),
    ownUs: own.user + own.system,
    computer: computerTicks(),
  }
}

/** The first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal. */
function computerTicks(): { busy: number; idle: number } {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1)
  const [user = 0, nice = 0, system = 0, idle = 0, waiting = 0, ...others] = line
    .split(/\s+/)
    .slice(1, 9)
    .map(Number)
  const busy = others.reduce((sum, ticks) => sum + ticks, user + nice + system)
  return { busy, idle: idle + waiting }
}
