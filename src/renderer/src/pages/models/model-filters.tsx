import type { ListedModel } from '../../../../shared/models/listed-model.ts'
import { SearchField } from '../../components/search-field.tsx'
import { Select } from '../../components/select.tsx'
import { abilities, abilityNames, type Ability } from '../../usage/model-abilities.ts'
import { useModelFilter } from './use-model-filter.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** The search, the provider, the abilities and the ownership of the shown models. */
export function ModelFilters({ listed }: { listed: readonly ListedModel[] }) {
  const { wanted, setSearch } = useModelFilter()
  const toggle = (ability: Ability) => {
    const next = wanted.abilities.includes(ability)
      ? wanted.abilities.filter((other) => other !== ability)
      : [...wanted.abilities, ability]
    setSearch({ can: next.length === 0 ? undefined : next.join(',') })
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchField
        label={t('Search models')}
        placeholder={t('Search {count, plural, one {# model} other {# models}}', {
          count: listed.length,
        })}
        value={wanted.search}
        onChange={(text) => setSearch({ q: text === '' ? undefined : text }, { replace: true })}
      />
      <div className="w-48">
        <Select
          label={t('Provider')}
          isLabelHidden
          choices={[{ value: 'all', label: t('All providers') }, ...providerChoices(listed)]}
          value={wanted.provider ?? 'all'}
          onChange={(id) => setSearch({ provider: id === 'all' ? undefined : id })}
        />
      </div>
      <fieldset className="flex flex-wrap gap-1.5">
        <legend className="sr-only">{t('Show only')}</legend>
        <Toggle
          label={t('Yours')}
          isOn={wanted.isOwnOnly}
          onToggle={() => setSearch({ own: wanted.isOwnOnly ? undefined : 'true' })}
        />
        {abilities.map((ability) => (
          <Toggle
            key={ability}
            label={abilityNames[ability]}
            isOn={wanted.abilities.includes(ability)}
            onToggle={() => toggle(ability)}
          />
        ))}
      </fieldset>
    </div>
  )
}

function providerChoices(listed: readonly ListedModel[]) {
  const names = new Map(listed.map(({ model, typeName }) => [model.providerId, typeName]))
  return [...names].map(([id, name]) => ({
    value: id,
    label: name,
    ...(name.toLowerCase() === id ? {} : { hint: id }),
  }))
}

interface ToggleProps {
  label: string
  isOn: boolean
  onToggle: () => void
}

function Toggle({ label, isOn, onToggle }: ToggleProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onToggle}
      className="h-7 rounded-full border border-line bg-surface px-2.5 text-xs hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:font-medium forced-colors:aria-pressed:outline"
    >
      {label}
    </button>
  )
}
