/** From the bytes of a file to rows: the encoding, CSV (RFC 4180, also with tabs and semicolons), JSON and JSON lines. */
import { BillUnreadable, type BillText, type JsonValue, type Table } from './bill.ts'

const mostLineCharacters = 1_000_000

/** @throws BillUnreadable */
export function readText(bytes: Uint8Array): BillText {
  const text = decode(bytes)
  if (text.trim() === '') throw new BillUnreadable('The file is empty.')
  const first = text.trimStart()[0]
  if (first === '{' || first === '[') return { text, table: null, values: readJson(text) }
  return { text, table: readTable(text), values: null }
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe
      ? 'utf-16le'
      : first === 0xfe && second === 0xff
        ? 'utf-16be'
        : 'utf-8'
  let text
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new BillUnreadable('The file is not text in UTF-8 or UTF-16.')
  }
  if (text.includes('\0')) throw new BillUnreadable('The file is not text: it contains zero bytes.')
  return text
}

// ---- JSON ------------------------------------------------------------------------------------

/** One JSON text, or one on each line. */
function readJson(text: string): JsonValue[] {
  try {
    return [{ line: 1 + newlines(text.slice(0, text.search(/\S/))), value: JSON.parse(text) }]
  } catch {
    return readJsonLines(text)
  }
}

function readJsonLines(text: string): JsonValue[] {
  const values: JsonValue[] = []
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    if (line.trim() === '') continue
    try {
      values.push({ line: index + 1, value: JSON.parse(line) })
    } catch {
      throw new BillUnreadable('The JSON is damaged or cut off here.', index + 1)
    }
  }
  return values
}

function newlines(text: string): number {
  return text.split('\n').length - 1
}

// ---- CSV -------------------------------------------------------------------------------------

/** @throws BillUnreadable for a quote that never ends, and a file that is no table */
function readTable(text: string): Table {
  const delimiter = delimiterOf(text)
  const [head, ...rows] = splitRows(text, delimiter)
  if (head === undefined || head.cells.length < 2) {
    throw new BillUnreadable('The file is neither JSON nor a table with a header line.')
  }
  const header = head.cells.map((cell) =>
    cell
      .trim()
      .toLowerCase()
      .replaceAll(/[\s.]+/g, '_'),
  )
  const table: Table = { header, rows: [], problems: [] }
  for (const row of rows) {
    if (row.cells.every((cell) => cell.trim() === '')) continue
    if (row.cells.length === header.length) table.rows.push(row)
    else table.problems.push({ line: row.line, reason: columnsMissing(row.cells.length, header) })
  }
  return table
}

function columnsMissing(cells: number, header: readonly string[]): string {
  return `The row has ${cells} columns, and the header has ${header.length}.`
}

/** The separator that the header has most. */
function delimiterOf(text: string): string {
  const end = text.search(/[\r\n]/)
  const header = end < 0 ? text : text.slice(0, end)
  const counts = [',', '\t', ';'].map((mark) => ({ mark, count: header.split(mark).length }))
  return counts.toSorted((a, b) => b.count - a.count)[0]?.mark ?? ','
}

interface Row {
  line: number
  cells: string[]
}

function splitRows(text: string, delimiter: string): Row[] {
  const rows: Row[] = []
  let row: Row = { line: 1, cells: [] }
  let line = 1
  let at = 0
  while (at <= text.length) {
    const { cell, end, lines } = readCell(text, at, { delimiter, line })
    row.cells.push(cell)
    line += lines
    at = end + 1
    if (text[end] === delimiter) continue
    rows.push(row)
    if (text[end] === '\r' && text[end + 1] === '\n') at += 1
    line += 1
    row = { line, cells: [] }
    if (at >= text.length) break
  }
  return rows
}

interface Cell {
  cell: string
  /** The position of the mark that ends it. */
  end: number
  /** Line breaks within its quotes. */
  lines: number
}

function readCell(
  text: string,
  start: number,
  { delimiter, line }: { delimiter: string; line: number },
): Cell {
  if (text[start] !== '"') return plainCell(text, start, delimiter)
  let cell = ''
  let at = start + 1
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote < 0 || quote - start > mostLineCharacters) {
      throw new BillUnreadable('A quotation mark opens here and never closes.', line)
    }
    cell += text.slice(at, quote)
    at = quote + 1
    if (text[at] !== '"') break
    cell += '"'
    at += 1
  }
  const rest = plainCell(text, at, delimiter)
  return { cell: cell + rest.cell, end: rest.end, lines: newlines(cell) }
}

function plainCell(text: string, start: number, delimiter: string): Cell {
  let end = start
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') {
    end += 1
  }
  return { cell: text.slice(start, end), end, lines: 0 }
}
