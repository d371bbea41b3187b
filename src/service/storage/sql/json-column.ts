import type { z } from 'zod'

/** A validated value, stored as JSON text in one column. */
export function readJson<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> {
  return schema.parse(JSON.parse(text))
}
