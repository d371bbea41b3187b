/** The processor time and the memory of a process with all its children (Linux). */
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

/** Ticks of the kernel's clock per second, in /proc/PID/stat. */
const ticksPerSecond = 100

interface ProcessStat {
  pid: number
  parent: number
  /** Processor time since its start. */
  processorMs: number
}

/** @returns the share of one core that the processes used, in percent */
export async function processorShare(pid: number, overMs: number): Promise<number> {
  const before = sumOf(await family(pid))
  const startedAt = performance.now()
  await pause(overMs)
  const after = sumOf(await family(pid))
  return ((after - before) / (performance.now() - startedAt)) * 100
}

/** Memory in MiB; memory that processes share is divided among them. */
export async function memoryOf(pid: number): Promise<number> {
  const processes = await family(pid)
  const sizes = await Promise.all(processes.map((one) => proportionalKib(one.pid)))
  return sizes.reduce((sum, kib) => sum + kib, 0) / 1024
}

function sumOf(processes: readonly ProcessStat[]): number {
  return processes.reduce((sum, { processorMs }) => sum + processorMs, 0)
}

async function proportionalKib(pid: number): Promise<number> {
  // A process may end between the listing and this.
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s*(\d+) kB$/m.exec(text)?.[1] ?? 0)
}

async function family(pid: number): Promise<ProcessStat[]> {
  const all = (await Promise.all((await readdir('/proc')).map(readStat))).flatMap(
    (one) => one ?? [],
  )
  const members = all.filter((one) => one.pid === pid)
  // The list grows while it is read: children of children follow.
  for (const member of members) members.push(...all.filter(({ parent }) => parent === member.pid))
  return members
}

async function readStat(name: string): Promise<ProcessStat | null> {
  if (!/^\d+$/.test(name)) return null
  const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => null)
  // The name, in brackets, may contain spaces.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  if (!fields) return null
  const [, parent] = fields
  const ticks = Number(fields[11]) + Number(fields[12])
  return { pid: Number(name), parent: Number(parent), processorMs: (ticks * 1000) / ticksPerSecond }
}
