/** The results in lines for a terminal, and in cells for the page. */
import { capabilities, type Capability, type Check, type Door } from './check.ts'
import type { Client } from './client.ts'

export interface Row {
  client: Client
  checks: readonly Check[]
}

export function versionOf({ packages }: Pick<Client, 'packages'>): string {
  return Object.values(packages.versions)[0] ?? ''
}

/** A line for each door, and one for each failure. */
export function describeChecks(row: Row): string {
  const { client } = row
  return client.doors
    .flatMap((door) => [
      [client.name, versionOf(client), door, ...capabilities.map((each) => short(row, door, each))]
        .filter(Boolean)
        .join('  '),
      ...failuresOf(row, door).map((failure) => `  ${failure}`),
    ])
    .join('\n')
}

function short(row: Row, door: Door, capability: Capability): string {
  const found = checksOf(row, door, capability)
  if (found.length === 0) return ''
  const passed = found.filter(({ problem }) => problem === null).length
  return `${capability} ${passed}/${found.length}`
}

/** `✓` or what failed; the client's reason where the capability does not apply. */
export function cell(row: Row, door: Door, capability: Capability): string {
  const found = checksOf(row, door, capability)
  if (found.length === 0) return row.client.without?.[capability] ?? '–'
  const failed = found.filter(({ problem }) => problem !== null).map(({ on }) => on)
  return failed.length === 0 ? '✓' : `✗ ${failed.join(', ')}`
}

export function failuresOf({ checks }: Row, door: Door): string[] {
  return checks.flatMap((check) =>
    check.door === door && check.problem !== null
      ? [`${check.capability} on ${check.on}: ${check.problem}`]
      : [],
  )
}

function checksOf({ checks }: Row, door: Door, capability: Capability): Check[] {
  return checks.filter((check) => check.door === door && check.capability === capability)
}
