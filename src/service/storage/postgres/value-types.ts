/** How `pg` reads values: every number as a JavaScript number, as the stores expect. */
import { types, type CustomTypesConfig } from 'pg'

/** PostgreSQL's numbers for its types: bigint, and the type of a sum of bigints. */
const numberTypes = new Set([20, 1700])

/** Sums stay below 2^53: `greatestSum` of usage-cell.ts. */
export const valueTypes: CustomTypesConfig = {
  getTypeParser(type, format) {
    if (numberTypes.has(type)) return Number
    // The types of `pg` say `any`.
    return types.getTypeParser(type, format) as (text: string) => unknown
  },
}
