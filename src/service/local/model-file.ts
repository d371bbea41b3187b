/** A model file (GGUF) that the user chose in place of the built-in model: its name and its size. */
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { localModelName, type ChosenModelFile } from './local-model.ts'
import { builtInModel } from './library/offered-models.ts'

/** @returns null for a copy of the built-in model, which keeps its own name and figures */
export async function describeModelFile(file: string): Promise<ChosenModelFile | null> {
  const sizeBytes = await sizeOf(file)
  return sizeBytes === builtInModel.sizeBytes ? null : { name: modelNameOf(file), sizeBytes }
}

/** The file's name in lower case, without its extension and part number. */
export function modelNameOf(file: string): string {
  const name = basename(file)
    .toLowerCase()
    .replace(/\.gguf$/, '')
    .replace(/-\d{5}-of-\d{5}$/, '')
    .replaceAll(/[^a-z0-9._]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
  if (name === '') return 'model-file'
  return name === localModelName ? `${name}-file` : name
}

async function sizeOf(file: string): Promise<number | null> {
  try {
    return (await stat(file)).size
  } catch {
    return null
  }
}
