/** Processes whose processor time Linux counts together and, with a share, limits together: a control group. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export interface ProcessorGroup {
  name: string
  /** The part of one core that the group may use from now on. */
  setShare(share: number): void
  /** Moves a process and its descendants into the group. Processes that they start later begin there. */
  add(pid: number): void
  /** Processor time of all its processes so far, in µs. */
  usedUs(): number
}

/** The two forms of control groups that Linux has. */
interface GroupFiles {
  /** The folders of a group, by its name; the first one takes the processes of the group. */
  folders(group: string): readonly string[]
  limit(group: string, quotaUs: number): void
  usedUs(group: string): number
}

const root = '/sys/fs/cgroup'
/** Period of the share: short, so that a server that has used its share waits for milliseconds. */
const periodUs = 20_000
let groupCount = 0

/**
 * Creates a group without a limit; it is removed at the end of the test.
 * @throws Error where the system allows no groups
 */
export function newProcessorGroup(name: string): ProcessorGroup {
  const files = usableFiles()
  groupCount += 1
  const group = `modelport-${process.pid}-${groupCount}`
  const folders = createFolders(files, group)
  onTestFinished(() => {
    for (const folder of folders) removeFolder(folder)
  })
  return {
    name,
    setShare: (share) => files.limit(group, Math.round(share * periodUs)),
    add: (pid) => moveAll(pid, folders),
    usedUs: () => files.usedUs(group),
  }
}

function createFolders(files: GroupFiles, group: string): readonly string[] {
  try {
    const folders = files.folders(group)
    for (const folder of folders) mkdirSync(folder)
    return folders
  } catch (error) {
    throw new Error(`Only root can create control groups, in a ${root} that is writable`, {
      cause: error,
    })
  }
}

function usableFiles(): GroupFiles {
  if (existsSync(join(root, 'cpu')) && existsSync(join(root, 'cpuacct'))) return firstVersion
  const controllers = join(root, 'cgroup.controllers')
  if (existsSync(controllers) && readFileSync(controllers, 'utf8').split(/\s/).includes('cpu'))
    return secondVersion
  throw new Error(`${root} has no control groups that limit processor time`)
}

const firstVersion: GroupFiles = {
  // Systems that mount both as one have two names for it.
  folders: (group) =>
    existsSync(join(root, 'cpu', 'cpuacct.usage'))
      ? [join(root, 'cpu', group)]
      : [join(root, 'cpu', group), join(root, 'cpuacct', group)],
  limit(group, quotaUs) {
    const folder = join(root, 'cpu', group)
    writeFileSync(join(folder, 'cpu.cfs_period_us'), String(periodUs))
    writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(quotaUs))
  },
  usedUs: (group) =>
    Number(readFileSync(join(root, 'cpuacct', group, 'cpuacct.usage'), 'utf8')) / 1_000,
}

const secondVersion: GroupFiles = {
  folders(group) {
    writeFileSync(join(root, 'cgroup.subtree_control'), '+cpu')
    return [join(root, group)]
  },
  limit: (group, quotaUs) => writeFileSync(join(root, group, 'cpu.max'), `${quotaUs} ${periodUs}`),
  usedUs(group) {
    const text = readFileSync(join(root, group, 'cpu.stat'), 'utf8')
    return Number(/^usage_usec (\d+)$/m.exec(text)?.[1])
  },
}

/** Repeated until a look finds no new descendant, because a process may start one meanwhile. */
function moveAll(pid: number, folders: readonly string[]): void {
  const moved = new Set<number>()
  for (let found = [pid]; found.length > 0;) {
    for (const one of found) {
      for (const folder of folders) moveProcess(one, folder)
      moved.add(one)
    }
    found = childrenOf(moved).filter((child) => !moved.has(child))
  }
}

function childrenOf(parents: ReadonlySet<number>): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && parents.has(parentOf(pid)))
}

/** @returns 0 for a process that has ended */
function parentOf(pid: number): number {
  try {
    return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return 0
  }
}

function moveProcess(pid: number, folder: string): void {
  try {
    writeFileSync(join(folder, 'cgroup.procs'), String(pid))
  } catch (error) {
    if (existsSync(`/proc/${pid}`)) throw error
  }
}

/** A group with processes cannot be removed, so they return to the root. */
function removeFolder(folder: string): void {
  const pids = readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean)
  for (const pid of pids) moveProcess(Number(pid), join(folder, '..'))
  rmdirSync(folder)
}
