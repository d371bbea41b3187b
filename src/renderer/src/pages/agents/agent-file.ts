import { isScalar, parseDocument } from 'yaml'
import { downloadFile } from '../../components/download-file.ts'
import { freeId } from './step-templates.ts'

/** Downloads the definition as a file. */
export function exportAgent(name: string, source: string): void {
  downloadFile({ name: `${name}.yaml`, type: 'application/yaml', text: source })
}

/** A copy of the agent under an unused name. */
export function duplicateOf(source: string, names: readonly string[]): string {
  const name: unknown = parseDocument(source, { version: '1.2' }).get('name', true)
  if (!isScalar(name) || !name.range) return source
  const copy = freeId(`${String(name.value)}-copy`, names).replaceAll('_', '-')
  const [start, end] = name.range
  return source.slice(0, start) + copy + source.slice(end)
}
