import { downloadFile } from '../../components/download-file.ts'
import { setField } from './edit-definition.ts'
import { freeId } from './new-step.ts'
import { readDraft } from './draft.ts'

/** Downloads the definition as a file. */
export function exportAgent(name: string, source: string): void {
  downloadFile({ name: `${name}.yaml`, type: 'application/yaml', text: source })
}

/** A copy of the agent under an unused name. */
export function duplicateOf(source: string, names: readonly string[]): string {
  const name = readDraft(source)?.fields['name']
  const copy = freeId(`${typeof name === 'string' ? name : 'agent'}-copy`, names)
  return setField(source, ['name'], copy.replaceAll('_', '-'))
}
