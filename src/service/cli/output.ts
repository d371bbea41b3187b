import type { Writable } from 'node:stream'

/** The text of a row under each heading; null is shown as a dash. */
export type Columns<Row> = Record<string, (row: Row) => string | number | null>

/** Prints the results of commands: with `--json` one value per line, otherwise text for a person. */
export interface Output {
  /** Prints JSON in every format, for values that programs read: an id, a new key, an address. */
  json(value: unknown): void
  table<Row>(rows: readonly Row[], columns: Columns<Row>): void
  /** One row, a line per column. */
  record<Row>(row: Row, columns: Columns<Row>): void
  /** The result of a change: its value with `--json`, otherwise the sentence. */
  done(value: unknown, sentence: string): void
  /** A text, unchanged; its value with `--json`. */
  text(value: unknown, text: string): void
  /** A note for a person, on stderr; nothing with `--json`. */
  note(sentence: string): void
  /** A question to the user, on stderr. */
  question(sentence: string): void
}

export interface OutputOptions {
  stdout: Writable
  stderr: Writable
  /** Called at each print: the command line is parsed after the output is created. */
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
      for (const text of tableLines(rows, columns)) line(text)
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

/** A table as lines, the headings first. */
export function tableLines<Row>(rows: readonly Row[], columns: Columns<Row>): string[] {
  const headings = Object.keys(columns)
  const cells = rows.map((row) => Object.values(columns).map((cell) => toText(cell(row))))
  return align([headings, ...cells])
}

function toText(value: string | number | null): string {
  return value === null || value === '' ? '–' : withoutControls(String(value))
}

/**
 * Names can come from a provider or from someone else's file. Characters that control the terminal or the text
 * direction are replaced.
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
