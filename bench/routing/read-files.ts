/** The data files of a run. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readDataFile, type DataFile } from './data-file.ts'

const folderVariable = 'MODELPORT_ROUTING_DATA'

/**
 * The files named by `--data FILE`, which can be repeated, or otherwise all files of a folder. @throws Error when
 * there are none
 */
export function readFiles(args: readonly string[], env: NodeJS.ProcessEnv): DataFile[] {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { data: { type: 'string', multiple: true, default: [] } },
    allowPositionals: true,
  })
  const named = [...values.data, ...positionals]
  const paths = named.length > 0 ? named : filesIn(env[folderVariable] ?? '')
  if (paths.length === 0) {
    throw new Error(
      `No data: name files with --data FILE.jsonl.gz, or a folder of them in ${folderVariable}.`,
    )
  }
  return paths.map(readDataFile)
}

function filesIn(folder: string): string[] {
  if (folder === '') return []
  const names = readdirSync(folder).filter((name) => /\.jsonl(\.gz)?$/.test(name))
  return names.toSorted().map((name) => join(folder, name))
}
