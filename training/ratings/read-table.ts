/** Reads a published table of figures: comma-separated, models as rows, without quoted cells. */
import { z } from 'zod'

/** Figures by column, by row; an empty cell, and the rest of a short row, are absent. */
export type Table = ReadonlyMap<string, ReadonlyMap<string, number>>

/** Shown in the window and in terminals, so control characters are refused. */
const nameSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{C}"]+$/u)
const headerSchema = z.array(nameSchema).min(2)
const cellSchema = z.union([z.enum(['', '-']).transform(() => null), z.coerce.number()])
const greatestRows = 5_000

/** @throws z.ZodError for anything else, such as a quoted cell or a row longer than the header */
export function readTable(text: string): Table {
  const lines = text.split(/\r?\n/).filter((line) => line !== '')
  const [first = '', ...rest] = z.array(z.string()).min(2).max(greatestRows).parse(lines)
  const [, ...columns] = headerSchema.parse(first.split(','))
  const rowSchema = z
    .tuple([nameSchema], cellSchema)
    .refine((row) => row.length <= columns.length + 1, {
      message: 'a row is longer than the header',
    })
  const rows = rest.map((line) => rowSchema.parse(line.split(',')))
  return new Map(
    rows.map(([name, ...cells]) => {
      const figures = columns.flatMap((column, index): [string, number][] => {
        const cell = cells[index] ?? null
        return cell === null ? [] : [[column, cell]]
      })
      return [name, new Map(figures)]
    }),
  )
}
