/** A value kept as JSON text in one column. */
export function readJson<Value>(text: string): Value {
  // Checked boundary: the column was written by this folder from a value of this type, and SQLite
  // checked that it is JSON.
  return JSON.parse(text) as Value
}
