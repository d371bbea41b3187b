/** The option that says where the data is. Every command has it, because all of them read and change the same data. */
import { InvalidArgumentError } from 'commander'
import { CommandFailed } from './cli.ts'
import type { ServerOption } from './server-options.ts'

export const databaseOption: ServerOption = {
  flags: '--database <url>',
  variable: 'MODELPORT_DATABASE_URL',
  description: 'PostgreSQL that all nodes use, instead of a file in the data folder',
  read: readDatabaseUrl,
  isSecret: true,
}

export interface DatabaseOptionValue {
  database?: string
}

/** @throws CommandFailed for commands that work on the file of a data folder */
export function refuseDatabase(database: string | undefined, wayOut: string): void {
  if (database !== undefined) throw new CommandFailed(`The data is in PostgreSQL. ${wayOut}`)
}

/** @throws InvalidArgumentError */
export function readDatabaseUrl(text: string): string {
  const isPostgres = /^postgres(ql)?:\/\//.test(text) && URL.canParse(text)
  if (isPostgres) return text
  throw new InvalidArgumentError('Expected postgres://USER:PASSWORD@HOST:PORT/DATABASE.')
}
