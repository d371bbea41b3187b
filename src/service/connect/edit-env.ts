/** Edits files of `NAME=value` lines, as dotenv libraries read them. Other lines stay. */

/** Sets each variable in its last line, or in a new line at the end. */
export function editEnv(
  before: string | null,
  variables: Readonly<Record<string, string>>,
): string {
  const text = before ?? ''
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  return Object.entries(variables).reduce(
    (current, [name, value]) => setVariable(current, `${name}=${envValue(value)}`, eol),
    text,
  )
}

function setVariable(text: string, line: string, eol: string): string {
  const name = line.slice(0, line.indexOf('='))
  // Each line with its own end: a file can have both kinds.
  const lines = text.split(/(?<=\n)/)
  const index = lines.findLastIndex((each) =>
    new RegExp(`^\\s*(export\\s+)?${name}\\s*=`).test(each),
  )
  if (index !== -1) {
    const end = /\r?\n$/.exec(lines[index] ?? '')?.[0] ?? ''
    return lines.with(index, `${line}${end}`).join('')
  }
  const start = text === '' || text.endsWith('\n') ? text : `${text}${eol}`
  return `${start}${line}${eol}`
}

/** Single quotes keep spaces, `#`, `$` and backslashes as they are. */
function envValue(value: string): string {
  return /^[\w./:@-]*$/.test(value) ? value : `'${value}'`
}
