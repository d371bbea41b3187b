/** The table “Who may import whom” of ARCHITECTURE.md. */
import { readFileSync } from 'node:fs'
import path from 'node:path'

const page = path.resolve(import.meta.dirname, '../..', 'ARCHITECTURE.md')

/** A folder, or a file at the service's root. */
interface Part {
  path: string
  mayImport: readonly string[]
  packages: readonly string[]
}

/** The table “Who may import whom”, by the names of its rows. */
export const parts = readTable(readFileSync(page, 'utf8'))

function readTable(text: string): Record<string, Part> {
  const [, table = ''] = text.split('## Who may import whom')
  const rows = table.split('\n\n', 2)[1]?.split('\n').slice(2) ?? []
  return Object.fromEntries(
    rows.map((row) => {
      const [, name = '', imports = '', packages = ''] = row.split('|').map((cell) => cell.trim())
      return [name, { path: pathOf(name), mayImport: listed(imports), packages: listed(packages) }]
    }),
  )
}

function listed(cell: string): string[] {
  return cell.split(', ').filter(Boolean)
}

function pathOf(name: string): string {
  if (name === 'renderer') return 'src/renderer/src'
  const isOutside = ['shared', 'main', 'preload'].includes(name)
  return isOutside ? `src/${name}` : `src/service/${name}`
}

export const isFile = (name: string): boolean => name.endsWith('.ts')
export const folders = Object.keys(parts).filter((name) => !isFile(name))
export const rootFiles = Object.keys(parts).filter(isFile)

export const packages =
  'zod electron node:fs node:fs/promises undici fastify @fastify/cors better-sqlite3 pg ioredis keytar node-llama-cpp ajv ajv/dist/2020.js secure-json-parse @peculiar/x509 reflect-metadata uuid liquidjs yaml quickjs-emscripten-core @jitl/quickjs-singlefile-mjs-release-sync pino rotating-file-stream commander react'.split(
    ' ',
  )

export function mayUse(from: string, name: string): boolean {
  return (parts[from]?.packages ?? []).some(
    (allowed) => name === allowed || name.startsWith(allowed === 'node:' ? allowed : `${allowed}/`),
  )
}

export function mayImport(from: string, to: string): boolean {
  return parts[from]?.mayImport.includes(to) ?? false
}
