/** Text for shells: words and variables. */
import type { Snippet } from '../../shared/app/connect.ts'
import type { Connection } from './tool.ts'

/** A text as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** A text as one word of PowerShell. */
export function powershellWord(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** Commands that set variables in the user's shell. */
export function environmentSnippet(
  title: string,
  variables: Readonly<Record<string, string>>,
  { platform }: Pick<Connection, 'platform'>,
): Snippet {
  const entries = Object.entries(variables)
  return platform === 'win32'
    ? {
        title,
        language: 'powershell',
        text: entries.map(([name, value]) => `$env:${name} = ${powershellWord(value)}`).join('\n'),
      }
    : {
        title,
        language: 'sh',
        text: entries.map(([name, value]) => `export ${name}=${shellWord(value)}`).join('\n'),
      }
}
