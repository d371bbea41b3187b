/** What tools and their servers are, in words. */
import type {
  ServerConfig,
  ToolDefinition,
  ToolMarks,
  ToolStep,
} from '../../../shared/chat/tools.ts'
import { t } from '../../../shared/strings/strings.ts'

export const markNames: Readonly<Record<keyof ToolMarks, string>> = {
  readsPrivate: t('Reads private data'),
  readsForeign: t('Reads text of others'),
  sendsOut: t('Sends data out'),
}

// `Object.keys` loses the type: these are the table's own names.
export const markKeys = Object.keys(markNames) as (keyof ToolMarks)[]

export const outcomeWords: Readonly<Record<ToolStep['outcome'], string>> = {
  running: t('running'),
  done: t('done'),
  failed: t('failed'),
  denied: t('denied'),
  stopped: t('stopped, may have run'),
  unknown: t('not known whether it ran'),
}

/** What the server claims about a tool. */
export function claimOf({ claims }: Pick<ToolDefinition, 'claims'>): string {
  if (claims.isReadOnly)
    return t('The server says that it only reads. Modelport cannot check this.')
  if (claims.isDestructive) return t('It may change or delete things.')
  return t('The server says that it adds things and deletes none. Modelport cannot check this.')
}

/** A command as a shell would show it, or an address. */
export function commandText(config: ServerConfig, resolved: string | null): string {
  if (config.kind === 'http') return config.url
  return [resolved ?? config.command, ...config.args].map(quoted).join(' ')
}

function quoted(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
