import { isScalar, parseDocument } from 'yaml'
import { downloadFile } from '../../components/download-file.ts'
import { freeId, smallestAgent } from './step-templates.ts'

/** Downloads the definition as a file. */
export function exportAgent(name: string, source: string): void {
  downloadFile({ name: `${name}.yaml`, type: 'application/yaml', text: source })
}

/** A copy of the agent under an unused name. */
export function duplicateOf(source: string, names: readonly string[]): string {
  return renamed(source, (name) => freeId(`${name}-copy`, names, '-'))
}

/** The smallest agent under an unused name. */
export function templateOf(names: readonly string[]): string {
  return renamed(smallestAgent, (name) => freeId(name, names, '-'))
}

function renamed(source: string, rename: (name: string) => string): string {
  const name: unknown = parseDocument(source, { version: '1.2' }).get('name', true)
  if (!isScalar(name) || !name.range) return source
  const [start, end] = name.range
  return source.slice(0, start) + rename(String(name.value)) + source.slice(end)
}
