/** The machine on which figures were taken, without its name. */
import { totalmem } from 'node:os'
import { usableCores } from '../src/service/local/usable-cores.ts'

export function machineText(): string {
  const gib = Math.round(totalmem() / 2 ** 30)
  return `${usableCores()} cores, ${gib} GiB, ${process.platform}, Node ${process.versions.node}`
}
