/** Edits files of `NAME=value` lines, as dotenv libraries read them. Other lines stay. */

/** Sets each variable in its last line, or in a new line at the end. */
export function editEnv(
  before: string | null,
  variables: Readonly<Record<string, string>>,
): string {
  return Object.entries(variables).reduce(
    (current, [name, value]) => setVariable(current, name, envValue(value)),
    before ?? '',
  )
}

/** @param written  the value with its quotes */
export function setVariable(text: string, name: string, written: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = linesOf(text)
  const index = lines.findLastIndex((each) => nameOf(each) === name)
  if (index !== -1) {
    const [, exported = '', end = ''] =
      /^(\s*export\s+)?.*?(\r?\n)?$/s.exec(lines[index] ?? '') ?? []
    return lines.with(index, `${exported}${name}=${written}${end}`).join('')
  }
  const start = text === '' || text.endsWith('\n') ? text : `${text}${eol}`
  return `${start}${name}=${written}${eol}`
}

/** Removes the last line that sets the variable. */
export function removeVariable(text: string, name: string): string {
  const lines = linesOf(text)
  const index = lines.findLastIndex((each) => nameOf(each) === name)
  return index === -1 ? text : lines.toSpliced(index, 1).join('')
}

/** The values with their quotes; of a name's lines, the last one counts. */
export function variablesOf(text: string): Record<string, string> {
  const set = linesOf(text).flatMap((line) => {
    const name = nameOf(line)
    return name === null ? [] : [[name, line.slice(line.indexOf('=') + 1).trim()] as const]
  })
  return Object.fromEntries(set)
}

/** Lines with their own ends: a file can have both kinds. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/)
}

/** @returns null for comments and other lines that set nothing */
function nameOf(line: string): string | null {
  return /^\s*(?:export\s+)?([\w.-]+)\s*=/.exec(line)?.[1] ?? null
}

/** A value in single quotes, which keep spaces, `#`, `$` and backslashes as they are. */
function envValue(value: string): string {
  return /^[\w./:@-]*$/.test(value) ? value : `'${value}'`
}
