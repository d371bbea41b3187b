/** The fields that a definition can have at a place, from the published schema. */
import schemaText from '../../../../../resources/agent.schema.json?raw'
import { t } from '../../../../shared/strings/strings.ts'
import { recordOf, type Path } from './draft.ts'

/** The parts of a JSON Schema that describe a field to a person. */
export interface FieldSchema {
  type?: string
  description?: string
  default?: unknown
  enum?: readonly unknown[]
  const?: unknown
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  properties?: Readonly<Record<string, FieldSchema>>
  items?: FieldSchema
  oneOf?: readonly FieldSchema[]
  $ref?: string
}

// A test compares the file with the schema in the code, which is the one that the service checks with.
const root = JSON.parse(schemaText) as FieldSchema & { $defs: { step: FieldSchema } }

/** @returns null for a field that the schema does not know */
export function schemaAt(path: Path, value: unknown): FieldSchema | null {
  let found: FieldSchema | undefined = resolved(root, value)
  let inner = value
  for (const part of path) {
    inner = Array.isArray(inner) ? inner[Number(part)] : recordOf(inner)?.[part]
    const next: FieldSchema | undefined =
      typeof part === 'number' ? found.items : found.properties?.[part]
    if (!next) return null
    found = resolved(next, inner)
  }
  return found
}

/** A step has the fields of its type; without a known type, it can have those of every type. */
function resolved(schema: FieldSchema, value: unknown): FieldSchema {
  const { oneOf: variants } = schema.$ref === undefined ? schema : root.$defs.step
  if (!variants) return schema
  const typeOf = ({ properties }: FieldSchema) => properties?.['type']?.const
  const written = recordOf(value)?.['type']
  const known = variants.filter((variant) => typeOf(variant) === written)
  const chosen = known.length > 0 ? known : variants
  const fields = chosen.flatMap(({ properties = {} }) => Object.entries(properties))
  const type = { enum: variants.map(typeOf), description: t('What the step does') }
  return { ...known[0], properties: { ...Object.fromEntries(fields), type } }
}

/** Type, values and limits in a line: `integer · default 100 · at least 1 · at most 1000`. */
export function limitsOf(schema: FieldSchema): string {
  const { type, default: standard, minimum, exclusiveMinimum, maximum } = schema
  return [
    schema.enum?.join(', ') ?? type,
    isShown(standard) && t('default {standard}', { standard: String(standard) }),
    minimum !== undefined && t('at least {least}', { least: minimum }),
    exclusiveMinimum !== undefined && t('above {bound}', { bound: exclusiveMinimum }),
    // The schema gives each integer an upper bound.
    maximum !== undefined &&
      maximum < Number.MAX_SAFE_INTEGER &&
      t('at most {most}', { most: maximum }),
  ]
    .filter((part) => typeof part === 'string')
    .join(' · ')
}

function isShown(standard: unknown): boolean {
  return typeof standard === 'number' || (typeof standard === 'string' && standard !== '')
}
