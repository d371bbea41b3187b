/**
 * Variables whose value is in a file, as Docker and Kubernetes hand over secrets: `MODELPORT_DATABASE_URL_FILE` names the
 * file that has the value of `MODELPORT_DATABASE_URL`.
 */
import { readFileSync } from 'node:fs'
import { UsageError, type Cli } from './cli.ts'

const secretVariables = ['MODELPORT_DATABASE_URL', 'MODELPORT_SHARED_URL']

/** @throws UsageError for a file that cannot be read, and for a variable that is also set itself */
export function withFileVariables(env: Cli['env']): Cli['env'] {
  const values = secretVariables.flatMap((variable) => {
    const file = env[`${variable}_FILE`]
    return file ? [[variable, readValue(file, variable, env)] as const] : []
  })
  return values.length === 0 ? env : { ...env, ...Object.fromEntries(values) }
}

function readValue(file: string, variable: string, env: Cli['env']): string {
  if (env[variable]) throw new UsageError(`Set ${variable} or ${variable}_FILE, not both.`)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new UsageError(`${variable}_FILE: The file ${file} cannot be read (${code}).`)
  }
}
