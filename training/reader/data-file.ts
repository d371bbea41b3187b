/**
 * Files of prompts with the models' results, one JSON object per line, optionally gzipped: `scores` and optionally
 * `tout` by model, or `weak` and `strong` of a pair. `subject` or `task` gives the kind of prompt.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'

const rowSchema = z.object({
  task: z.string().default(''),
  subject: z.string().optional(),
  prompt: z.string(),
  /** Tokens of the prompt as sent, including the benchmark's instructions. */
  chars_in: z.number().optional(),
  /** The share of correct answers, 0 to 1, by model. */
  scores: z.record(z.string(), z.number()).optional(),
  /** Output tokens, by model. */
  tout: z.record(z.string(), z.number()).optional(),
  weak: z.number().optional(),
  strong: z.number().optional(),
  /** Whether the prompt was in the training data of one of the pair's models. */
  contaminated: z.boolean().default(false),
})

export interface PromptRow {
  prompt: string
  /** The kind of prompt according to the file: its subject, otherwise its task. */
  label: string
  inputTokens: number
  scores: Readonly<Record<string, number>>
  outputTokens: Readonly<Record<string, number>>
}

export interface PairRow {
  prompt: string
  label: string
  weak: number
  strong: number
}

interface NamedFile {
  /** The file's name without its extension. */
  name: string
  /** SHA-256 of the text, which is the same whether gzipped or not. */
  hash: string
}

export type DataFile =
  | (NamedFile & { kind: 'models'; rows: PromptRow[] })
  | (NamedFile & { kind: 'pair'; rows: PairRow[] })

/** @throws Error when a line has another form, or the file has neither kind of scores */
export function readDataFile(path: string): DataFile {
  const bytes = readFileSync(path)
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const rows = lines.map((line) => rowSchema.parse(JSON.parse(line)))
  const named = {
    name: basename(path).replace(/\.jsonl?(\.gz)?$/, ''),
    hash: createHash('sha256').update(text).digest('hex'),
  }
  const pairs = rows.flatMap(toPairRow)
  if (pairs.length > 0) return { ...named, kind: 'pair', rows: pairs }
  const prompts = rows.flatMap(toPromptRow)
  if (prompts.length === 0) throw new Error(`${path} has neither scores of models nor of a pair`)
  return { ...named, kind: 'models', rows: prompts }
}

function toPromptRow(row: z.infer<typeof rowSchema>): PromptRow[] {
  if (!row.scores) return []
  return [
    {
      prompt: row.prompt,
      label: row.subject ?? row.task,
      inputTokens: Math.ceil((row.chars_in ?? row.prompt.length) / charsPerToken),
      scores: row.scores,
      outputTokens: row.tout ?? {},
    },
  ]
}

/** Contaminated prompts are left out, as in the pair's own evaluation. */
function toPairRow(row: z.infer<typeof rowSchema>): PairRow[] {
  const { prompt, weak, strong } = row
  if (weak === undefined || strong === undefined || row.contaminated) return []
  return [{ prompt, label: row.subject ?? row.task, weak, strong }]
}

export const charsPerToken = 4
