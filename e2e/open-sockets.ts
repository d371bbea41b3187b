/** The connections of a process tree to other computers, read from /proc while a test runs (Linux only). */
import { readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Interval short enough to see a connection that is refused by a distant computer, or a query to a name server. */
const pollMs = 25
const tables = ['tcp', 'tcp6', 'udp', 'udp6'] as const

/** @returns stops, and resolves to the remote addresses that were seen, such as `tcp 8.8.8.8:443` */
export function watchSockets(rootPid: number): () => Promise<string[]> {
  const seen = new Set<string>()
  const stop = new AbortController()
  const watching = (async () => {
    while (!stop.signal.aborted) {
      for (const address of await remoteAddresses(rootPid)) seen.add(address)
      await sleep(pollMs)
    }
  })()
  return async () => {
    stop.abort()
    await watching
    return [...seen]
  }
}

async function remoteAddresses(rootPid: number): Promise<string[]> {
  const pids = await processTree(rootPid)
  const inodes = new Set((await Promise.all(pids.map(socketInodes))).flat())
  const rows = await Promise.all(tables.map(readTable))
  return rows
    .flat()
    .filter(({ inode, isRemote }) => isRemote && inodes.has(inode))
    .map(({ address }) => address)
}

async function processTree(rootPid: number): Promise<number[]> {
  const tree = [rootPid]
  for (const pid of tree) {
    const tasks = await readdir(`/proc/${pid}/task`).catch(() => [])
    const children = await Promise.all(
      tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '')),
    )
    tree.push(...children.join(' ').split(' ').filter(Boolean).map(Number))
  }
  return tree
}

async function socketInodes(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`
  // A process may end at any time.
  const names = await readdir(folder).catch(() => [])
  const targets = await Promise.all(
    names.map((name) => readlink(`${folder}/${name}`).catch(() => '')),
  )
  return targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [])
}

interface Row {
  inode: string
  address: string
  isRemote: boolean
}

async function readTable(table: (typeof tables)[number]): Promise<Row[]> {
  const text = await readFile(`/proc/net/${table}`, 'utf8').catch(() => '')
  return text
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, , remote = '', , , , , , , inode = ''] = line.trim().split(/\s+/)
      if (remote === '') return []
      const [host = '', port = ''] = remote.split(':')
      const isRemote = !isUnset(host) && !isLoopback(host)
      return [{ inode, address: `${table} ${host}:${Number.parseInt(port, 16)}`, isRemote }]
    })
}

/** No remote end: a listening or unbound socket. */
function isUnset(hex: string): boolean {
  return /^0+$/.test(hex)
}

/** Whether a hexadecimal address, each group of four bytes reversed, is in 127.0.0.0/8, ::1 or ::ffff:127.0.0.0/8. */
function isLoopback(hex: string): boolean {
  if (hex.length === 8) return hex.endsWith('7F')
  return hex === '00000000000000000000000001000000' || /^0{16}FFFF0000.{6}7F$/.test(hex)
}
