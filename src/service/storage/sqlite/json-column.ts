import type { z } from 'zod'

/** A value kept as JSON text in one column, checked. */
export function readJson<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> {
  return schema.parse(JSON.parse(text))
}
