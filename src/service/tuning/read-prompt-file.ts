/**
 * Reads a file of prompts: JSON Lines, a JSON array, or plain text with one prompt a line. Every invalid entry is
 * listed with its line and field, and none of the file is used then.
 */
import { LineCounter, parseDocument, isSeq, isNode } from 'yaml'
import { z } from 'zod'
import { inputMessage } from '../../shared/chat/input-messages.ts'
import { promptCheckSchema } from '../../shared/chat/prompt-check.ts'
import { problemOfCheck } from './checks/grade-answer.ts'
import { longestPrompt, type SourcePrompt } from './tuning-prompt.ts'

const text = z.string().min(1, 'Enter a text').max(longestPrompt)

const entrySchema = z.strictObject({
  prompt: text,
  system: text.optional(),
  check: promptCheckSchema.optional(),
  /** A right answer, shown to the judge. */
  reference: text.optional(),
})
type Entry = z.infer<typeof entrySchema>

/** An invalid entry. Lines count from 1. */
export interface PromptFileFault {
  line: number
  /** `check.expected`; empty for the whole entry. */
  field: string
  message: string
}

export type ReadPromptFile =
  | { ok: true; prompts: SourcePrompt[] }
  | { ok: false; faults: readonly PromptFileFault[] }

const mostFaults = 20

/** @param name  its ending decides the format: `.jsonl`, `.json`; any other is plain text, unless it looks like JSON */
export function readPromptFile(name: string, source: string): ReadPromptFile {
  const content = source.replace(/^\uFEFF/, '')
  const entries = entriesOf(formatOf(name, content), content)
  const faults: PromptFileFault[] = []
  const prompts: SourcePrompt[] = []
  for (const { line, value, problem } of entries) {
    const read = problem === null ? readEntry(value) : { field: '', message: problem }
    if ('message' in read) faults.push({ line, ...read })
    else prompts.push(toPrompt(read.entry))
    if (faults.length === mostFaults) break
  }
  if (faults.length > 0)
    return { ok: false, faults: withLines(faults, formatOf(name, content), content) }
  if (prompts.length > 0) return { ok: true, prompts }
  return { ok: false, faults: [{ line: 1, field: '', message: 'The file has no prompts' }] }
}

type Format = 'jsonl' | 'json' | 'text'

function formatOf(name: string, content: string): Format {
  const start = content.trimStart()[0]
  if (/\.(jsonl|ndjson)$/i.test(name)) return 'jsonl'
  if (/\.json$/i.test(name)) return start === '{' ? 'jsonl' : 'json'
  if (start === '{') return 'jsonl'
  return 'text'
}

interface RawEntry {
  /** Line of the file; in a JSON array the number of the entry, from 1. */
  line: number
  value: unknown
  problem: string | null
}

function entriesOf(format: Format, content: string): RawEntry[] {
  if (format === 'json') return entriesOfArray(content)
  return content.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '') return []
    const place = { line: index + 1, problem: null }
    return format === 'text' ? { ...place, value: { prompt: line } } : { ...place, ...parse(line) }
  })
}

function entriesOfArray(content: string): RawEntry[] {
  const { value, problem } = parse(content)
  if (problem !== null) return [{ line: 1, value: null, problem }]
  if (!Array.isArray(value)) {
    return [{ line: 1, value: null, problem: 'The file must be a list of prompts' }]
  }
  return value.map((entry: unknown, index) => ({ line: index + 1, value: entry, problem: null }))
}

function parse(json: string): { value: unknown; problem: string | null } {
  try {
    return { value: JSON.parse(json), problem: null }
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'invalid'
    return { value: null, problem: `This is not JSON: ${reason.slice(0, 200)}` }
  }
}

function readEntry(value: unknown): { entry: Entry } | { field: string; message: string } {
  const given = typeof value === 'string' ? { prompt: value } : value
  const read = entrySchema.safeParse(given, { error: inputMessage })
  if (!read.success) {
    const [issue] = read.error.issues
    return { field: issue?.path.join('.') ?? '', message: issue?.message ?? 'This is invalid' }
  }
  const problem = read.data.check ? problemOfCheck(read.data.check) : null
  return problem === null ? { entry: read.data } : { field: 'check.schema', message: problem }
}

function toPrompt({ prompt, system, check, reference }: Entry): SourcePrompt {
  return {
    messages: [
      ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
      { role: 'user', content: prompt },
    ],
    check: check ?? null,
    reference: reference ?? null,
    domain: null,
    grade: null,
  }
}

/** Entries of a JSON array get the line on which they begin. */
function withLines(
  faults: readonly PromptFileFault[],
  format: Format,
  content: string,
): readonly PromptFileFault[] {
  if (format !== 'json') return faults
  const lineCounter = new LineCounter()
  const { contents } = parseDocument(content, { lineCounter })
  if (!isSeq(contents)) return faults
  return faults.map((fault) => {
    const item = contents.items[fault.line - 1]
    const start = isNode(item) ? item.range[0] : undefined
    return start === undefined ? fault : { ...fault, line: lineCounter.linePos(start).line }
  })
}
