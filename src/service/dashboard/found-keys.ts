/** Vendors' keys in the environment: which no provider uses yet, and adding a provider with one. */
import type { FoundKey } from '../../shared/models/found-calls.ts'
import type { ProviderType } from '../../shared/models/provider-type.ts'
import { providerTypes } from '../provider-types/provider-types.ts'
import type { FoundVariable } from '../secrets/secret-store.ts'
import { DashboardError, type Dashboard, type DashboardOptions } from './dashboard.ts'
import { freeId } from './model-servers.ts'

interface Found {
  type: ProviderType
  variable: FoundVariable
}

export function createFoundKeys(
  options: DashboardOptions,
  { addTestedProvider }: Pick<Dashboard, 'addTestedProvider'>,
): Pick<Dashboard, 'foundKeys' | 'addFoundKey'> {
  const { configuration, secrets } = options

  function found(): Found[] {
    const used = new Set([...configuration.current().providers.values()].map(({ type }) => type))
    return providerTypes.flatMap((type) => {
      if (type.keyRule !== 'required' || type.baseUrl === null || used.has(type.type)) return []
      const variable = secrets.variableFor(type.type)
      return variable === null ? [] : [{ type, variable }]
    })
  }

  return {
    foundKeys: () => found().map(toFoundKey),
    async addFoundKey(wanted) {
      const key = found().find(({ type }) => type.type === wanted)
      if (!key) {
        const message = 'No variable has an unused key of this type. Paste the key instead.'
        throw new DashboardError('not_found', message, 'type')
      }
      const id = freeId(wanted, options)
      const isRead = secrets.sourceOf(id) !== null
      // A variable that Modelport reads at each start keeps its key; any other may be gone then.
      const apiKey = isRead ? {} : { apiKey: key.variable.secret }
      return await addTestedProvider({ id, type: wanted, ...apiKey })
    },
  }
}

function toFoundKey({ type: { type, name }, variable }: Found): FoundKey {
  return { type, typeName: name, variable: variable.name }
}
