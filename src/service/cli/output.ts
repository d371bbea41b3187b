import type { Writable } from 'node:stream'

/** Heading to what a row shows under it; null is drawn as a dash. */
export type Columns<Row> = Record<string, (row: Row) => string | number | null>

/** What commands print: with `--json` one value per line, otherwise text for a person. */
export interface Output {
  /** Always JSON, for what a program is expected to read: an id, a new key, an address. */
  json(value: unknown): void
  table<Row>(rows: readonly Row[], columns: Columns<Row>): void
  /** One thing, a line per column. */
  record<Row>(row: Row, columns: Columns<Row>): void
  /** A thing that was done: its value, or the sentence or lines. */
  done(value: unknown, sentence: string): void
  /** A text for a file or a reader, as it is: its value with `--json`. */
  text(value: unknown, text: string): void
  /** A remark for a person; nothing with `--json`, and never on stdout. */
  note(sentence: string): void
  /** What an answer is awaited to; never on stdout. */
  question(sentence: string): void
}

export interface OutputOptions {
  stdout: Writable
  stderr: Writable
  /** Asked at each print: the command line is parsed after this is made. */
  isJson: () => boolean
}

export function createOutput({ stdout, stderr, isJson }: OutputOptions): Output {
  const line = (text: string) => void stdout.write(`${text}\n`)
  const json = (value: unknown) => line(JSON.stringify(value))

  return {
    json,
    table(rows, columns) {
      if (isJson()) {
        rows.forEach(json)
        return
      }
      const headings = Object.keys(columns)
      const cells = rows.map((row) => Object.values(columns).map((cell) => toText(cell(row))))
      for (const text of align([headings, ...cells])) line(text)
    },
    record(row, columns) {
      if (isJson()) {
        json(row)
        return
      }
      const cells = Object.entries(columns).map(([heading, cell]) => [heading, toText(cell(row))])
      for (const text of align(cells)) line(text)
    },
    done(value, sentence) {
      if (isJson()) json(value)
      else for (const text of sentence.split('\n')) line(toText(text))
    },
    text(value, text) {
      if (isJson()) json(value)
      else void stdout.write(text.endsWith('\n') ? text : `${text}\n`)
    },
    note(sentence) {
      if (!isJson()) stderr.write(`${sentence}\n`)
    },
    question(sentence) {
      stderr.write(`${sentence} `)
    },
  }
}

function toText(value: string | number | null): string {
  return value === null || value === '' ? '–' : withoutControls(String(value))
}

/**
 * Names can come from a provider or another's file: what would steer the terminal, or turn the
 * direction of what is read, is not passed on.
 */
export function withoutControls(text: string): string {
  return text.replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '?')
}

function align(lines: readonly (readonly string[])[]): string[] {
  const widths: number[] = []
  for (const cells of lines)
    for (const [index, cell] of cells.entries())
      widths[index] = Math.max(widths[index] ?? 0, cell.length)
  return lines.map((cells) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
