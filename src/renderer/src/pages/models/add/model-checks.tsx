import type { Model } from '../../../../../shared/entities.ts'
import { formatPrice, formatTokens } from '../../../../../shared/strings/format.ts'
import { AbilityList } from '../../../components/ability-list.tsx'
import { Button } from '../../../components/button.tsx'
import { t } from '../../../../../shared/strings/strings.ts'

interface ModelChecksProps {
  models: readonly Model[]
  suggested: readonly string[]
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

/** Models with their prices and abilities, each with a checkbox. */
export function ModelChecks({ models, suggested, chosen, onChange }: ModelChecksProps) {
  const isSuggested = (id: string) => suggested.includes(id)
  const sorted = [
    ...models.filter(({ id }) => isSuggested(id)),
    ...models.filter(({ id }) => !isSuggested(id)),
  ]
  return (
    <section aria-label={t('Models')} className="flex min-h-0 flex-col gap-2">
      <div className="flex items-center gap-2 text-sm">
        <span className="text-muted">
          {t('{chosen} of {all} selected', {
            chosen: chosen.length,
            all: models.length,
          })}
        </span>
        <span className="ml-auto flex gap-1.5">
          <Button size="small" onClick={() => onChange(models.map(({ id }) => id))}>
            {t('Select all')}
          </Button>
          <Button size="small" onClick={() => onChange(suggested)}>
            {t('Select suggested')}
          </Button>
        </span>
      </div>
      <ul className="max-h-80 min-h-24 divide-y divide-line overflow-y-auto rounded-lg border border-line bg-surface">
        {sorted.map((model) => (
          <li key={model.id}>
            <label className="grid grid-cols-[1rem_minmax(8rem,1fr)_auto] items-center gap-x-3 px-3 py-1.5 text-sm hover:bg-hover sm:grid-cols-[1rem_minmax(8rem,1fr)_7rem_4rem_11rem]">
              <input
                type="checkbox"
                checked={chosen.includes(model.id)}
                onChange={({ target }) =>
                  onChange(
                    target.checked
                      ? [...chosen, model.id]
                      : chosen.filter((other) => other !== model.id),
                  )
                }
                className="accent-accent"
              />
              <span className="truncate" title={model.id}>
                {model.id.slice(model.providerId.length + 1)}
              </span>
              <span className="hidden sm:block">
                <AbilityList model={model} />
              </span>
              <span className="hidden text-right text-xs text-muted tabular-nums sm:block">
                {formatTokens(model.contextTokens)}
              </span>
              <span
                className="text-right text-xs tabular-nums"
                title={t('US dollars per million tokens')}
              >
                {formatPrice(model.inputUsdPerMtok, model.outputUsdPerMtok)}
              </span>
            </label>
          </li>
        ))}
      </ul>
    </section>
  )
}
