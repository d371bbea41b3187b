/** The processor time and the memory of a process with all its children (Linux). */
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

interface ProcessStat {
  pid: number
  parent: number
}

/** @returns the share of one core that the processes used, in percent */
export async function processorShare(pid: number, overMs: number): Promise<number> {
  const before = await processorMs(pid)
  const startedAt = performance.now()
  await pause(overMs)
  const after = await processorMs(pid)
  return ((after - before) / (performance.now() - startedAt)) * 100
}

/** Memory in MiB; memory that processes share is divided among them. */
export async function memoryOf(pid: number): Promise<number> {
  const processes = await family(pid)
  const sizes = await Promise.all(processes.map((one) => proportionalKib(one.pid)))
  return sizes.reduce((sum, kib) => sum + kib, 0) / 1024
}

/**
 * Processor time of all threads since their start. The ticks in /proc/PID/stat say two to three times as much for work
 * that timers begin: they count a whole tick for whoever runs at its moment.
 */
async function processorMs(pid: number): Promise<number> {
  const threads = await Promise.all(
    (await family(pid)).map(async (one) => {
      const ids = await readdir(`/proc/${one.pid}/task`).catch(() => [])
      return ids.map((id) => `/proc/${one.pid}/task/${id}/schedstat`)
    }),
  )
  const texts = await Promise.all(
    threads.flat().map((file) => readFile(file, 'utf8').catch(() => '0')),
  )
  return texts.reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1e6, 0)
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
  return { pid: Number(name), parent: Number(fields[1]) }
}
