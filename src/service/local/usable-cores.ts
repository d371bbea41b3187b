/**
 * How many cores this process may really use, and how many of them the model takes. With more
 * threads than cores llama.cpp's threads wait for each other spinning: on 2 cores 4 threads make
 * 0.3 tokens/s, 2 threads 60, 1 thread 110.
 */
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

/** Threads for the two phases of an answer. */
export interface Threads {
  /** Reading the prompt is bound by arithmetic: nearly every core helps. */
  prompt: number
  /** Writing tokens is bound by memory: more threads than these only wait for it. */
  generation: number
}

/** The threads to use on so many cores; on more than two, one is left to the rest of the computer. */
export function threadsFor(cores: number): Threads {
  const prompt = cores > 2 ? cores - 1 : cores
  return { prompt, generation: Math.ceil(prompt / 2) }
}

/**
 * Cores by affinity and by the control group's quota, 1 at the least. Node counts the quota itself
 * from 22 on; Electron 33's does not.
 * @param root  where the file system begins; `/` but in tests
 */
export function usableCores(root = '/'): number {
  return Math.max(1, Math.floor(Math.min(availableParallelism(), cgroupCores(root))))
}

function cgroupCores(root: string): number {
  const quotas = cgroupFolders(root).map((folder) => {
    const [quota, period] = read(join(root, 'sys/fs/cgroup', folder, 'cpu.max')).split(' ')
    return Number(quota) / Number(period)
  })
  const v1 = join(root, 'sys/fs/cgroup/cpu/cpu.cfs_')
  quotas.push(Number(read(`${v1}quota_us`)) / Number(read(`${v1}period_us`)))
  // No limit is written as "max" (version 2) or -1 (version 1), no file at all reads as 0 / 0.
  return Math.min(...quotas.filter((cores) => cores > 0))
}

/** Our own group and all above it: each may limit. */
function cgroupFolders(root: string): string[] {
  const own = /^0::(.*)$/m.exec(read(join(root, 'proc/self/cgroup')))?.[1] ?? '/'
  const names = own.split('/').filter((name) => name !== '')
  return [0, ...names.keys()].map((_, depth) => names.slice(0, depth).join('/')).concat(own)
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1').trim()
  } catch {
    // Not Linux, or a control group of the other version: no limit from this file.
    return ''
  }
}
