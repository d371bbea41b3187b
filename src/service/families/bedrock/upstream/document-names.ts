/**
 * Names of documents. Converse takes letters, digits, single spaces, hyphens, parentheses and square brackets,
 * and refuses two documents of one name.
 */
export class DocumentNames {
  readonly #used = new Set<string>()

  next(filename: string | null): string {
    const name = cleaned(filename ?? '')
    let unique = name
    for (let nth = 2; this.#used.has(unique); nth += 1) unique = `${name} (${nth})`
    this.#used.add(unique)
    return unique
  }
}

const longestName = 180

function cleaned(filename: string): string {
  const stem = filename.replace(/\.[A-Za-z0-9]{1,5}$/, '')
  const name = stem
    .replaceAll(/[^A-Za-z0-9\s\-()[\]]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, longestName)
  return name === '' ? 'document' : name
}
