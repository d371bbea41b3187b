/** Reads from the source files which part of `src` imports which. */
import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

/** The parts that each part imports. */
export type Imports = ReadonlyMap<string, ReadonlySet<string>>

const imported = /(?:from|import)\s*\(?\s*'(\.[^'?]+)/g

/** @param root  the project's folder. Tests and the suites that they share (`describe-*.ts`) do not count. */
export function readImports(root: string): Imports {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !/\.test\.|\/describe-/.test(file),
  )
  const imports = new Map<string, Set<string>>()
  for (const file of files) {
    const own = partOf(file)
    const others = imports.get(own) ?? new Set()
    imports.set(own, others)
    for (const [, path = ''] of readFileSync(posix.join(root, file), 'utf8').matchAll(imported)) {
      const target = posix.normalize(posix.join(posix.dirname(file), path))
      if (target.startsWith('src/') && partOf(target) !== own) others.add(partOf(target))
    }
  }
  return imports
}

/** A folder of the service, a file at its root, or a folder of `src`. */
function partOf(file: string): string {
  const [, folder = '', inside = ''] = file.split('/')
  return folder === 'service' ? inside : folder
}

/**
 * Parts in layers, the lowest first: each imports only from layers below its own.
 * @throws Error that names the parts of a circle
 */
export function layersOf(imports: Imports): string[][] {
  const layers: string[][] = []
  const placed = new Set<string>()
  let rest = [...imports.keys()].toSorted()
  while (rest.length > 0) {
    const layer = rest.filter((part) =>
      [...(imports.get(part) ?? [])].every((other) => placed.has(other)),
    )
    if (layer.length === 0) throw new Error(`these parts import each other: ${rest.join(', ')}`)
    layers.push(layer)
    for (const part of layer) placed.add(part)
    rest = rest.filter((part) => !placed.has(part))
  }
  return layers
}

/** Imports without those that a longer way includes: service.ts → http → shared, so not service.ts → shared. */
export function directImports(imports: Imports): [from: string, to: string][] {
  const reached = new Map<string, Set<string>>()
  for (const part of layersOf(imports).flat()) {
    const others = [...(imports.get(part) ?? [])]
    reached.set(part, new Set(others.flatMap((other) => [other, ...(reached.get(other) ?? [])])))
  }
  return [...imports].flatMap(([from, others]) =>
    [...others]
      .filter((to) => ![...others].some((other) => reached.get(other)?.has(to)))
      .toSorted()
      .map((to): [string, string] => [from, to]),
  )
}
