import { existsSync, readFileSync } from 'node:fs'

/** Whether a process runs. One that has ended does not, also where nobody asks for its result, as in a container. */
export function isRunning(pid: number | undefined): boolean {
  if (pid === undefined) return false
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const status = `/proc/${pid}/status`
  return !existsSync(status) || !/^State:\tZ/m.test(readFileSync(status, 'utf8'))
}
