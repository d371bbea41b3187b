/** A statement of the stores in PostgreSQL's form: `?` and `:name` become `$1`, `$2`, and so on. */
export interface StatementText {
  text: string
  /** The name of each value, in order; null for a statement with positions. */
  names: readonly string[] | null
}

/** Strings, quoted names and comments stay as they are; `::` is a cast. */
const parts = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[^]*?\*\/|::|\?|:([A-Za-z_]\w*)/g

export function toPostgresText(text: string): StatementText {
  const names: string[] = []
  let positions = 0
  const translated = text.replace(parts, (part, name: string | undefined) => {
    if (part === '?') return `$${(positions += 1)}`
    if (name === undefined) return part
    const known = names.indexOf(name)
    return `$${known === -1 ? names.push(name) : known + 1}`
  })
  return { text: translated, names: positions > 0 ? null : names }
}
