/** Pages of the vendors' APIs: `data` lists spans of time, and each has `results`. */
import { BillUnreadable, type JsonValue } from './bill.ts'
import { jsonRow, type Fields } from './fields.ts'

type JsonObject = Record<string, unknown>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The lists in `data` of one or several pages, with the line of their page; also the list alone. */
export function dataOf(values: readonly JsonValue[]): { line: number; item: unknown }[] {
  return values.flatMap(({ line, value }) => {
    const pages = Array.isArray(value) ? value : [value]
    return pages.flatMap((page) => {
      const data: unknown = isObject(page) && 'data' in page ? page['data'] : page
      return (Array.isArray(data) ? data : [data]).map((item: unknown) => ({ line, item }))
    })
  })
}

/** Whether the first value with data is a span with results that looks like the vendor's; empty pages fit nothing. */
export function isPage(
  values: readonly JsonValue[] | null,
  isSpan: (bucket: JsonObject) => boolean,
): boolean {
  const found = values && dataOf(values).find(({ item }) => isObject(item))?.item
  return isObject(found) && ('results' in found || 'result' in found) && isSpan(found)
}

/** @throws BillUnreadable for data of another form */
export function bucketsOf(
  values: readonly JsonValue[],
): { line: number; bucket: Fields; results: unknown[] }[] {
  return dataOf(values).map(({ line, item }) => {
    const bucket = jsonRow(line, item)
    const results = bucket.get('results') ?? bucket.get('result')
    if (!Array.isArray(results)) {
      throw new BillUnreadable('"results" is missing in a span of "data".', line)
    }
    return { line, bucket, results }
  })
}
