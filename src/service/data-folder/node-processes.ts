/**
 * `node.json`, the processes that used a data folder as a node of several. After a crash, the next process ends what the
 * one before holds in the shared database. That is safe only if the one before is certainly dead. The folder's lock proves it
 * where one kernel grants it: since the same start of the computer, and by the same lock file. The name of the computer
 * would not do: a volume can move to another machine together with the name, while the process on the first one still runs.
 */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { NodeProcesses } from '../storage/postgres/leases/predecessors.ts'
import { readIfThere, replaceFile } from './durable-file.ts'

const recordSchema = z.object({ place: z.string(), processes: z.array(z.string().regex(/^\w+$/)) })

/**
 * Only for a process that has locked the folder.
 * @param readBootId  null where the kernel has no id of its start
 * @returns undefined without this id: the leases of a killed process last until their end
 */
export async function openNodeProcesses(
  dataDir: string,
  readBootId: () => Promise<string | null> = readLinuxBootId,
): Promise<NodeProcesses | undefined> {
  const bootId = await readBootId()
  if (bootId === null) return undefined
  const { dev, ino } = await stat(join(dataDir, 'service.lock'), { bigint: true })
  const place = `${bootId} ${dev} ${ino}`
  const file = join(dataDir, 'node.json')
  const write = (processes: readonly string[]) =>
    replaceFile(file, `${JSON.stringify({ place, processes })}\n`)
  return {
    async join(id) {
      const record = parse(await readIfThere(file))
      const earlier = record?.place === place ? record.processes : []
      await write([...earlier, id])
      return earlier
    },
    leaveOnly: (id) => write([id]),
  }
}

/** Id of the computer's start. Linux has a new one after each, and its containers see the computer's. */
async function readLinuxBootId(): Promise<string | null> {
  try {
    return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
  } catch {
    return null
  }
}

/** @returns null for a damaged file; leases of a node that crashed then last until their end */
function parse(text: string | null): z.infer<typeof recordSchema> | null {
  try {
    return recordSchema.parse(JSON.parse(text ?? 'null'))
  } catch {
    return null
  }
}
