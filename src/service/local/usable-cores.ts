/**
 * How many cores this process may use, and how many threads the model uses. With more threads than cores,
 * llama.cpp's threads spin while they wait for each other: on 2 cores 4 threads generate 0.3 tokens/s, 2 threads
 * 60, 1 thread 110.
 */
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

/** Threads for the two phases of an answer. */
export interface Threads {
  /** Reading the prompt is limited by arithmetic, so nearly every core helps. */
  prompt: number
  /** Writing tokens is limited by memory, so more threads than these only wait for it. */
  generation: number
}

/** The threads for this many cores; with more than two cores, one is left for other programs. */
export function threadsFor(cores: number): Threads {
  const prompt = cores > 2 ? cores - 1 : cores
  return { prompt, generation: Math.ceil(prompt / 2) }
}

/**
 * Cores by affinity and by the control group's quota, at least 1. Node respects the quota itself from version
 * 22 on; Electron 33's Node does not.
 * @param root  where the file system begins; `/` except in tests
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
  // "No limit" is "max" (version 2) or -1 (version 1); a missing file reads as 0 / 0.
  return Math.min(...quotas.filter((cores) => cores > 0))
}

/** Our own group and all groups above it, each of which may set a limit. */
function cgroupFolders(root: string): string[] {
  const own = /^0::(.*)$/m.exec(read(join(root, 'proc/self/cgroup')))?.[1] ?? '/'
  const names = own.split('/').filter((name) => name !== '')
  return [0, ...names.keys()].map((_, depth) => names.slice(0, depth).join('/')).concat(own)
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1').trim()
  } catch {
    // Not Linux, or a control group of the other version: this file sets no limit.
    return ''
  }
}
