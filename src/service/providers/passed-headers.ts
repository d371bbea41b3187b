/** Headers of an upstream's answer that go on to a caller of its own form. */
import type { ResponseHeaders } from './http/response-reader.ts'

export type PassedHeaders = Readonly<Record<string, string>>

/** Matches values that every client can read; vendors send no other bytes and no long texts. */
const headerValue = /^[\x21-\x7e](?:[\x20-\x7e]{0,254}[\x21-\x7e])?$/

/** An allow-list, because other headers name accounts or repeat those of Modelport. Null without any. */
export function passedHeaders(headers: ResponseHeaders, names: RegExp): PassedHeaders | null {
  let passed: Record<string, string> | null = null
  for (const name in headers) {
    const value = names.test(name) ? headers[name] : undefined
    if (value !== undefined && headerValue.test(value)) (passed ??= {})[name] = value
  }
  return passed
}
