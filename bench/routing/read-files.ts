/** The data files of a run. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { readDataFile, type DataFile } from '../../training/reader/data-file.ts'
import type { EverydayPrompt } from './everyday-rows.ts'
import { pairTypes } from '../../training/graded/graded-prompts.ts'

const folderVariable = 'MODELPORT_ROUTING_DATA'

/**
 * The files named by `--data FILE`, which can be repeated, or otherwise all files of a folder. @throws Error when
 * there are none
 */
export function readFiles(args: readonly string[], env: NodeJS.ProcessEnv): DataFile[] {
  const { values, positionals } = parse(args)
  const named = [...values.data, ...positionals]
  const paths = named.length > 0 ? named : filesIn(env[folderVariable] ?? '')
  if (paths.length === 0) {
    throw new Error(
      `No data: name files with --data FILE.jsonl.gz, or a folder of them in ${folderVariable}.`,
    )
  }
  return paths.map(readDataFile)
}

/** The graded prompts named by `--prompts FILE`, which no weights were trained on. */
export function readPrompts(
  args: readonly string[],
): { name: string; prompts: EverydayPrompt[] }[] {
  return parse(args).values.prompts.map((path) => ({
    name: basename(path),
    prompts: readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => promptSchema.parse(JSON.parse(line))),
  }))
}

function parse(args: readonly string[]) {
  const files = { type: 'string', multiple: true, default: [] as string[] } as const
  return parseArgs({
    args: [...args],
    options: { data: files, prompts: files },
    allowPositionals: true,
  })
}

const grades = [1, 2, 3, 4, 5] as const
const types = Object.values(pairTypes)
const promptSchema = z.object({
  prompt: z.string(),
  grade: z.literal(grades),
  kind: z.string().default(''),
  pair: z
    .object({ type: z.enum(types), id: z.int() })
    .nullable()
    .default(null),
})

function filesIn(folder: string): string[] {
  if (folder === '') return []
  const names = readdirSync(folder).filter((name) => /\.jsonl(\.gz)?$/.test(name))
  return names.toSorted().map((name) => join(folder, name))
}
