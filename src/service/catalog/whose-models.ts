/** Chooses the catalogue entries that apply to a provider's models, by its options. */
import type { Catalog, CatalogModel } from './catalog.ts'

interface ProviderChoice {
  type: string
  options: Readonly<Record<string, string>>
}

const renamedPrefix = 'model.'

/** The type whose entries apply by name: the provider's own, or the one in its option `models-of`. */
export function catalogTypeOf({ type, options }: ProviderChoice): string {
  return options['models-of'] ?? type
}

/** Models that the provider offers under other names (`model.<name>`): each name with the catalogue's id. */
export function renamedModels({ options }: ProviderChoice): [name: string, catalogId: string][] {
  return Object.entries(options).flatMap(([option, catalogId]): [string, string][] =>
    option.startsWith(renamedPrefix) ? [[option.slice(renamedPrefix.length), catalogId]] : [],
  )
}

/** @param id  `<provider type>:<model_name>`, where the name may be an alias */
export function findCatalogModel(catalog: Catalog, id: string): CatalogModel | null {
  const colon = id.indexOf(':')
  const name = id.slice(colon + 1)
  const models = catalog.modelsOf(id.slice(0, colon))
  return models.find((known) => known.id === id || known.aliases.includes(name)) ?? null
}
