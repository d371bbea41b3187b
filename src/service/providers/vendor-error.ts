/** The names that a vendor gives a failure, which clients of its form decide by: to try again, to wait, or to stop. */

export interface VendorError {
  type: string | null
  code: string | null
  /** The field of the request that it is about. */
  param: string | null
}

/** Only short codes and field names, because anything else may be a sentence that quotes the prompt or a key. */
const codePattern = /^[a-z][a-z0-9_.-]{0,63}$/i
const fieldPattern = /^[a-z][\w.[\]-]{0,127}$/i

/** @returns null when the vendor names nothing; some vendors write their code as a number */
export function vendorError(names: {
  type?: unknown
  code?: unknown
  param?: unknown
}): VendorError | null {
  const code =
    typeof names.code === 'number' ? String(names.code) : fitting(names.code, codePattern)
  const type = fitting(names.type, codePattern)
  const param = fitting(names.param, fieldPattern)
  return (type ?? code ?? param) === null ? null : { type, code, param }
}

function fitting(value: unknown, pattern: RegExp): string | null {
  return typeof value === 'string' && pattern.test(value) ? value : null
}
