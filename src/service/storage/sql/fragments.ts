/** Parts of statements that several stores use. */
import type { Dialect } from './sql.ts'

/** A sum as a double: a sum of integers could overflow 64 bits, which makes the query fail. */
export function totalOf(column: string): string {
  return `coalesce(sum(CAST(${column} AS DOUBLE PRECISION)), 0)`
}

/** Whether a text equals the value of this name; true when the value is null. */
export function equalsIfGiven(text: string, name: string): string {
  return `(CAST(:${name} AS TEXT) IS NULL OR ${text} = :${name})`
}

/** The provider in a model's id, which is before the first colon; empty without one. */
export function providerIn({ position, greatest }: Dialect, model: string): string {
  return `substr(${model}, 1, ${greatest(`${position(model, "':'")} - 1`, '0')})`
}
